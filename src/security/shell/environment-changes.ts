import { readOptions } from './read-options.ts';
import { runs } from './segment-facts.ts';
import type { AssignmentFact, Segment } from './segment.ts';
import { programName, staticWord } from './shell-word.ts';

/** True for variables that affect appearance at most, and for short names that no program reads. */
export function isHarmlessVariable(name: string): boolean {
  return /^(?:CI|NODE_ENV|LC_[A-Z]+|LANG|TZ|FORCE_COLOR|NO_COLOR|[a-z][a-z0-9]*)$/.test(name);
}

/**
 * Returns what a line sets in the environment of its programs, by any means: assignments, `export`, `printf -v`,
 * `read`, `mapfile`, loops. Excludes harmless variables.
 */
export function environmentChanges(segments: readonly Segment[]): readonly AssignmentFact[] {
  return segments
    .flatMap((segment) => [...(segment.words.length === 0 ? segment.assignments : []), ...setBy(segment)])
    .filter(({ name }) => !isHarmlessVariable(name));
}

/** Variables that the builtin itself sets. */
function setBy(segment: Segment): readonly AssignmentFact[] {
  const words = segment.words.map(staticWord);
  const operandsAfter = (spec: Parameters<typeof readOptions>[2]) => words.slice(readOptions(words, 1, spec).next);
  if (runs(segment, 'export', 'declare', 'typeset', 'readonly', 'local', 'unset', 'getopts', 'let', 'wait')) {
    // A name reference sets the variable it names.
    const isReference = segment.words.some((word) => /^-[a-zA-Z]*n/.test(word));
    return words.slice(1).flatMap(({ text }) => {
      if (text.startsWith('-')) return [];
      return [set(isReference ? text.slice(text.indexOf('=') + 1) : text)];
    });
  }
  switch (programName(segment.words[0])) {
    case 'printf':
      return readOptions(words, 1, { values: 'v' }).options.flatMap(({ value }) =>
        value === undefined ? [] : [set(value.text)],
      );
    case 'read': {
      const { options } = readOptions(words, 1, READ);
      const array = options.flatMap(({ name, value }) => (name === '-a' && value !== undefined ? [value] : []));
      return [...array, ...operandsAfter(READ)].map(({ text }) => set(text));
    }
    case 'mapfile':
    case 'readarray':
      return operandsAfter({ flags: 't', values: 'dnOsuCc' }).map(({ text }) => set(text));
    case 'exec':
      return segment.words.slice(1).flatMap((text) => (/^\{\w+\}$/.test(text) ? [set(text.slice(1, -1))] : []));
    default:
      return [];
  }
}

const READ = { flags: 'ers', values: 'adinNptu' };

function set(text: string): AssignmentFact {
  const [, name = text, value] = /^([^=+[]+)\+?(?:\[[^\]]*\])?=([\s\S]*)$/.exec(text) ?? [];
  return { name, value: value ?? '…', dynamic: value === undefined };
}
