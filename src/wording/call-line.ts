/** One call as one line: its mark, verb, object, changed lines, result and time. Every front end of lines prints it. */
import { previewOf, type Body } from '../kernel/content.ts';
import { oneLine } from '../views/one-line.ts';
import type { CallItem } from '../views/transcript-item.ts';
import { callWords, commandResult, isMissingFile, missingWords, refusedVerb } from './call-words.ts';
import { durationText } from './duration.ts';
import type { Tone, TonePaint } from './terminal-style.ts';

export interface CallLine {
  /** The line without its time, which a terminal aligns at the right. */
  readonly text: string;
  /** Empty if the call never ran. */
  readonly took: string;
}

interface CallEndWords {
  readonly mark: string;
  readonly tone: Tone;
  /** Replaces the call's own verb. */
  readonly verb?: string;
  readonly result: string;
}

export function callLine(
  { tool, args, facts, state }: Pick<CallItem, 'tool' | 'args' | 'facts' | 'state'>,
  paint: TonePaint,
  textOf: (body: Body) => string = previewOf,
): CallLine {
  const { kind, done, doing, failed, object, added, removed } = callWords({ tool, state, facts }, textOf(args));
  const {
    mark,
    tone,
    verb = done,
    result,
  } = isMissingFile({ tool, state }) ? missing : endWords(state, { doing, failed }, textOf);
  const isChanged = state.type === 'succeeded';
  const end = [isChanged ? changedText({ added, removed }) : '', tone === 'good' ? result : paint[tone](result)];
  const toolName = state.type === 'asking' && kind !== 'run' && kind !== 'other' ? `${tool} ` : '';
  const head = `${paint[tone](mark)} ${verb} ${toolName}${object}`.trimEnd();
  const ms = 'durationMs' in state ? state.durationMs : undefined;
  return {
    text: [head, end.filter((part) => part !== '').join('  ')].filter((part) => part !== '').join('   '),
    took: ms === undefined ? '' : durationText(ms),
  };
}

const missing: CallEndWords = { mark: '○', tone: 'quiet', ...missingWords };

export function timedCallLine({ text, took }: CallLine): string {
  return took === '' ? text : `${text} (${took})`;
}

/** `+12 −6`. Empty if nothing changed. */
export function changedText({ added, removed }: { readonly added: number; readonly removed: number }): string {
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter((part) => part !== '').join(' ');
}

function endWords(
  state: CallItem['state'],
  { doing, failed }: { readonly doing: string; readonly failed: string },
  textOf: (body: Body) => string,
): CallEndWords {
  switch (state.type) {
    case 'planned':
      return { mark: '·', tone: 'quiet', verb: doing, result: 'planned' };
    case 'asking':
      return { mark: '?', tone: 'warning', verb: 'Needs approval:', result: '' };
    case 'running':
      return { mark: '…', tone: 'accent', verb: doing, result: '' };
    case 'succeeded': {
      const { text, isFailed } = commandResult(textOf(state.output), state.data);
      return isFailed ? { mark: '✗', tone: 'bad', result: text } : { mark: '✓', tone: 'good', result: text };
    }
    case 'failed':
      return { mark: '✗', tone: 'bad', verb: failed, result: oneLine(textOf(state.message)) };
    case 'refused':
      return { mark: '✗', tone: 'bad', verb: refusedVerb(state.code), result: oneLine(state.reason) };
    case 'cancelled':
      return { mark: '■', tone: 'quiet', result: 'stopped' };
  }
}
