/** A tool call in one line: a verb, what it is about, and its result. The words are those of the terminal. */
import { previewOf } from '../../../src/kernel/content.ts';
import { optional } from '../../../src/kernel/optional.ts';
import { argumentsOf, type CallArguments } from '../../../src/views/call-arguments.ts';
import { oneLine } from '../../../src/views/one-line.ts';
import type { CallItem } from '../../../src/views/transcript-item.ts';
import {
  callWords,
  commandResult,
  isMissingFile,
  missingWords,
  refusedVerb,
} from '../../../src/wording/call-words.ts';

interface CallLine {
  readonly verb: string;
  readonly object: string;
  readonly result: string;
  readonly tone: '' | 'good' | 'bad' | 'wait' | 'work';
}

export function callLine(
  item: Pick<CallItem, 'tool' | 'args' | 'state'> & Partial<Pick<CallItem, 'facts'>>,
): CallLine {
  const { tool, args, facts, state } = item;
  const given = argumentsOf(args) ?? readablePart(previewOf(args));
  const words = callWords({ tool, state, ...optional({ facts }) }, JSON.stringify(given));
  const object = oneLine(words.kind === 'other' ? `${tool} ${firstText(given)}`.trim() : words.object);
  switch (state.type) {
    case 'planned':
      return { verb: words.doing, object, result: 'Planned', tone: '' };
    case 'asking':
      return { verb: words.doing, object, result: 'Needs you', tone: 'wait' };
    case 'running':
      return { verb: words.doing, object, result: 'Running', tone: 'work' };
    case 'succeeded': {
      const { text, isFailed } = commandResult(previewOf(state.output), state.data);
      return { verb: words.done, object, result: text, tone: isFailed ? 'bad' : text === '' ? '' : 'good' };
    }
    case 'failed':
      return isMissingFile(item)
        ? { verb: missingWords.verb, object, result: missingWords.result, tone: '' }
        : { verb: words.failed, object, result: 'Failed', tone: 'bad' };
    case 'refused':
      return { verb: refusedVerb(state.code), object, result: 'Refused', tone: 'bad' };
    case 'cancelled':
      return { verb: words.done, object, result: 'Stopped', tone: '' };
  }
}

function firstText(given: CallArguments): string {
  const text = Object.values(given).find((value) => typeof value === 'string');
  return typeof text === 'string' ? text : '';
}

/** The whole strings at the beginning of truncated arguments. */
function readablePart(opening: string): CallArguments {
  const found = opening.matchAll(/"(\w+)":("(?:[^"\\]|\\.)*")/g);
  return Object.fromEntries([...found].map(([, name = '', value = '""']) => [name, JSON.parse(value) as unknown]));
}
