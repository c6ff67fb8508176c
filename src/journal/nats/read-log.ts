/**
 * Reads a session's records from its log. A message names its predecessor, so paging back follows these names. Reading
 * on starts at the nearest message whose place this process remembers, or that is near the end.
 */
import type { SessionId } from '../../kernel/ids.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import { collectBefore, createCollector, type Collecting, type CollectedPage } from '../collect.ts';
import { isVoid, logMessageOf, storedRecordOf, type LogHead, type LogMessage } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';

export interface LogReader {
  /** Sound and void records from the one that contains the sequence after `after` on, with their messages. */
  records(session: SessionId, newest: LogMessage, after: number, isSure?: boolean): AsyncGenerator<ReadRecord>;
  after(
    session: SessionId,
    newest: LogMessage,
    range: Pick<Collecting, 'after' | 'limit' | 'atDamage'> & { readonly isSure?: boolean },
  ): Promise<CollectedPage>;
  before(session: SessionId, newest: LogMessage, range: { before: number; limit: number }): Promise<CollectedPage>;
  /** An event is the last one of a message. */
  remember(session: SessionId, event: number, seq: number): void;
}

interface ReadRecord extends StoredRecord {
  readonly key?: { readonly key: string; readonly digest: string };
}

type ReaderParts = Pick<NatsParts, 'client' | 'layout' | 'tamper'>;

const mostRemembered = 1000;
/** So many events from the end it is quicker to go back than to read from the start. */
const nearEnd = 64;

export function createLogReader({ client, layout, tamper }: ReaderParts): LogReader {
  const places = new Map<SessionId, { readonly event: number; readonly seq: number }>();

  function remember(session: SessionId, event: number, seq: number): void {
    places.delete(session);
    places.set(session, { event, seq });
    const [oldest] = places.keys();
    if (places.size > mostRemembered && oldest !== undefined) places.delete(oldest);
  }

  async function messageAt(session: SessionId, seq: number): Promise<LogMessage | undefined> {
    const message = await client.at(`Reading session ${session}`, layout.logOf(session).stream, seq);
    return message === undefined ? undefined : logMessageOf(message);
  }

  /** The sequence of a message at or before the one that holds the event after `after`. */
  async function startFor(session: SessionId, newest: LogMessage, after: number): Promise<number> {
    const place = places.get(session);
    const isVoided = newest.head.voids !== undefined;
    if (place !== undefined && place.event <= after && !isVoided) return place.seq + 1;
    if (after === 0 || newest.head.seq - after > nearEnd || isVoided) return 1;
    let message: LogMessage | undefined = newest;
    while (message !== undefined && message.after > 0) {
      const [first] = message.records?.[0] ?? [];
      if (first !== undefined && first <= after + 1) return message.seq;
      message = await messageAt(session, message.after);
    }
    return 1;
  }

  async function* records(
    session: SessionId,
    newest: LogMessage,
    after: number,
    isSure = false,
  ): AsyncGenerator<ReadRecord> {
    const { stream, subject } = layout.logOf(session);
    const from = await startFor(session, newest, after);
    const until = newest.seq;
    for await (const one of client.walk(`Reading session ${session}`, stream, subject, from, until, {
      isSure,
    })) {
      const message = logMessageOf(one);
      if (message.seq > newest.seq) return;
      // Leftovers of a removed session don't belong to the next one with its id.
      for (const record of recordsIn(session, newest.head, message)) {
        if (record.last > after) yield record;
      }
      const last = message.records?.at(-1)?.[1];
      if (last !== undefined && newest.head.voids === undefined) remember(session, last, message.seq);
    }
  }

  function recordsIn(
    session: SessionId,
    head: LogHead,
    { seq, records = [], by }: LogMessage,
  ): readonly ReadRecord[] {
    return records.flatMap((stored) => {
      if (isVoid(head, seq, stored[0])) return [];
      const [, , , , key, digest = ''] = stored;
      const record = storedRecordOf(session, tamper(session, stored), by);
      return [{ ...record, ...(key !== undefined && { key: { key, digest } }) }];
    });
  }

  async function backwards(session: SessionId, newest: LogMessage, before: number, limit: number) {
    const list: StoredRecord[] = [];
    let events = 0;
    for (let seq = newest.head.newest; seq > 0 && events < limit;) {
      const message = seq === newest.seq ? newest : await messageAt(session, seq);
      if (message === undefined) break;
      for (const record of recordsIn(session, newest.head, message).toReversed()) {
        if (record.first >= before) continue;
        list.push(record);
        events += Math.min(record.last, before - 1) - record.first + 1;
      }
      seq = message.after;
    }
    return list;
  }

  return {
    records,
    remember,
    async after(session, newest, range) {
      const collector = createCollector({ session, head: newest.head.seq, ...range });
      for await (const record of records(session, newest, range.after, range.isSure))
        if (!collector.take(record)) break;
      return collector.page();
    },
    async before(session, newest, { before, limit }) {
      const list = await backwards(session, newest, before, limit);
      return collectBefore(list, { session, before, limit, head: newest.head.seq });
    },
  };
}
