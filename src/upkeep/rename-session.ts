/**
 * Changes the session id in events. Effect and question ids contain the session id, so they change too. Only id
 * fields are touched, never content.
 */
import type { Event } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';

/** Event fields with the id of a session, an effect or a question. */
const idFields = new Set(['session', 'parent', 'effect', 'question']);

export function renameIn(event: Event, ids: ReadonlyMap<SessionId, SessionId>): Event {
  return ids.size === 0 ? event : (renamed(event, ids) as Event);
}

function renamed(value: unknown, ids: ReadonlyMap<SessionId, SessionId>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      idFields.has(name) && typeof part === 'string' ? renamedId(part, ids) : renamed(part, ids),
    ]),
  );
}

function renamedId(id: string, ids: ReadonlyMap<SessionId, SessionId>): string {
  for (const [from, to] of ids) {
    if (id === from) return to;
    if (id.startsWith(`${from}.`)) return `${to}${id.slice(from.length)}`;
    const question = `q_${bodyOf(from)}`;
    if (id.startsWith(question) && id.length === question.length + questionSeqDigits) {
      return `q_${bodyOf(to)}${id.slice(question.length)}`;
    }
  }
  return id;
}

const questionSeqDigits = 7;

function bodyOf(session: SessionId): string {
  return session.slice(session.indexOf('_') + 1);
}
