/** The corpus of sentences. See sentences.txt for its format. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { optional } from '../../kernel/optional.ts';

export interface Sentence {
  /** Starts at 1. Every third sentence is held out. */
  readonly number: number;
  readonly held: boolean;
  readonly text: string;
  readonly verb: string;
  readonly target?: string;
  readonly readOnly: boolean;
  /** Formatted as `fix>test?git`. */
  readonly steps: string;
  readonly limits: { readonly language?: string; readonly without?: string; readonly only?: string };
}

export function readCorpus(
  file:
    | 'sentences.txt'
    | 'fresh.txt'
    | 'tuning.txt'
    | 'last.txt'
    | 'later.txt'
    | 'blind.txt'
    | 'newest.txt' = 'sentences.txt',
): readonly Sentence[] {
  const lines = readFileSync(path.join(import.meta.dirname, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line, index) => readLine(line, index + 1));
}

function readLine(line: string, number: number): Sentence {
  const [, verb = '', target = '', marks = '', text = ''] = /^(\S+) \| (.+?) \| (.+?) \| (.+)$/.exec(line) ?? [];
  if (text === '') throw new Error(`The corpus has a line that cannot be read: ${line}`);
  const mark = new Map(
    marks.split('; ').map((each): [string, string] => {
      const at = each.indexOf('=');
      return at === -1 ? [each, ''] : [each.slice(0, at), each.slice(at + 1)];
    }),
  );
  const [language, without, only] = ['lang', 'without', 'only'].map((name) => mark.get(name));
  return {
    number,
    held: number % 3 === 0,
    text,
    verb,
    ...(target !== '-' && { target }),
    readOnly: mark.has('ro'),
    steps: mark.get('steps') ?? '',
    limits: {
      ...optional({ language, without, only }),
    },
  };
}
