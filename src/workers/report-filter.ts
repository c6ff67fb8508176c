/**
 * Filters a child's progress for its parent. Drops thinking, empty and repeated text, shortens the rest to one
 * line, and limits a chatty child to one report per interval. Questions always pass.
 */
import { previewOf, type Body } from '../kernel/content.ts';
import type { Event } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import type { EffectProgress } from '../ports/effect-host.ts';
import { oneLine } from '../views/one-line.ts';

interface ReportFilter {
  readonly tools: ReadonlyMap<CallId, string>;
  readonly lastText: string;
  readonly lastAt: number;
}

export type Heard =
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'progress'; readonly kind: EffectProgress['kind']; readonly text: string };

export const nothingHeard: ReportFilter = { tools: new Map(), lastText: '', lastAt: -Infinity };

export function reportAfter(
  filter: ReportFilter,
  heard: Heard,
  options: { readonly at: number; readonly intervalMs: number },
): { readonly filter: ReportFilter; readonly text?: string } {
  const next = heard.type === 'event' ? withTools(filter, heard.event) : filter;
  const words = heard.type === 'event' ? wordsFor(next, heard.event) : progressWords(heard);
  const text = words === undefined ? '' : oneLine(words);
  if (text === '' || text === next.lastText) return { filter: next };
  const isQuestion = heard.type === 'event' && heard.event.type === 'question-opened';
  if (!isQuestion && options.at - next.lastAt < options.intervalMs) return { filter: next };
  return { filter: { ...next, lastText: text, lastAt: options.at }, text };
}

function withTools(filter: ReportFilter, event: Event): ReportFilter {
  if (event.type !== 'model-settled' || event.outcome.type !== 'completed') return filter;
  return { ...filter, tools: new Map(event.outcome.calls.map(({ id, tool }) => [id, tool])) };
}

function wordsFor({ tools }: ReportFilter, event: Event): string | undefined {
  const toolOf = (call: CallId) => tools.get(call) ?? 'a tool';
  switch (event.type) {
    case 'model-settled': {
      const { outcome } = event;
      if (outcome.type === 'completed') return saying(outcome.text);
      return outcome.type === 'cancelled' ? undefined : `error: ${outcome.message}`;
    }
    case 'tool-run-intended':
    case 'job-intended':
      return `using ${toolOf(event.call)}`;
    case 'tool-settled':
      return event.result.type === 'error'
        ? `error: ${toolOf(event.call)}: ${previewOf(event.result.message)}`
        : undefined;
    case 'call-refused':
      return `error: ${toolOf(event.call)} was refused: ${event.reason}`;
    case 'question-opened':
      return 'waiting for an answer';
    case 'verdict-reached':
      return `error: ${event.verdict.verdict}: ${event.verdict.evidence}`;
    default:
      return undefined;
  }
}

function saying(text: Body): string | undefined {
  const words = previewOf(text).trim();
  return words === '' ? undefined : `says: ${words}`;
}

/** Ignore streamed text: the settled message repeats it in full. */
function progressWords({ kind, text }: Extract<Heard, { type: 'progress' }>): string | undefined {
  return kind === 'status' && text.trim() !== '' ? `status: ${text.trim()}` : undefined;
}
