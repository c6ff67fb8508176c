import type { Body } from '../../kernel/content.ts';
import type { Event } from '../../kernel/event.ts';
import type { Journal } from '../../ports/journal.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { findNewest } from './read-back.ts';

/** The newest call's output or the newest reply's text. For a failed call, its message. */
export async function lastResult(journal: Journal, session: SessionId, seq: number): Promise<Body | undefined> {
  const newest = await findNewest(journal, session, seq + 1, ({ event }) => resultIn(event) !== undefined);
  return newest && resultIn(newest.event);
}

function resultIn(event: Event): Body | undefined {
  switch (event.type) {
    case 'tool-settled':
      if (event.result.type === 'success') return event.result.output;
      return event.result.type === 'error' ? event.result.message : undefined;
    case 'model-settled':
      return event.outcome.type === 'completed' && event.outcome.text !== '' ? event.outcome.text : undefined;
    case 'agent-reported':
      return event.report.type === 'message' ? event.report.text : undefined;
    default:
      return undefined;
  }
}
