import type { SessionId } from '../../kernel/ids.ts';
import type { Journal, Page, QuestionEntry, Snapshot } from '../../ports/journal.ts';
import type { CollectedPage } from '../collect.ts';
import { listEntries } from '../list-entries.ts';
import { assertRecords } from '../new-records.ts';
import type { ProcessLeases } from '../process-leases.ts';
import { appendToSession, type AppendParts } from './append-session.ts';
import { purgePieces } from './large-bodies.ts';
import type { LogReader } from './read-log.ts';
import { logPositionOf } from '../log-position.ts';
import { headOf, type LogMessage } from './session-log.ts';

export function createNatsJournal(
  parts: AppendParts,
  leases: Pick<ProcessLeases, 'claimed'>,
  reader: LogReader,
): Journal {
  const { client, layout, directory, writer, wakeUps, creations } = parts;

  async function existing(session: SessionId): Promise<LogMessage | undefined> {
    const newest = await writer.newest(session);
    return headOf(newest) === undefined ? undefined : newest;
  }

  /**
   * Damage is looked at twice, because a server that lags behind gives the same answers as one that lost something. The
   * second look asks the leader alone.
   */
  async function surely(
    session: SessionId,
    newest: LogMessage,
    look: (isSure: boolean) => Promise<CollectedPage>,
  ): Promise<CollectedPage> {
    const first = await look(false);
    if (first.damages.length === 0) return first;
    await client.arrive(`Reading session ${session}`, layout.logOf(session).stream, newest.seq);
    return look(true);
  }

  /** Stores the damage that a read found: the session rejects writes. */
  async function noting(...given: Parameters<typeof surely>): Promise<Page> {
    const { events, last, damages } = await surely(...given);
    const [damage] = damages;
    if (damage === undefined) return { events, last };
    await writer.noteDamage(given[0], { seq: damage.seq, reason: damage.reason });
    return { events, last, damage };
  }

  const snapshotSubject = (session: SessionId) => layout.subject('kept', 'snapshot', session);

  const entries = async () => [...(await directory.all()).values()];

  return {
    async append(request) {
      assertRecords(request);
      const { session, records, settles } = request;
      const answer = await writer.inTurn(session, () => appendToSession(parts, request));
      if (answer.type !== 'appended') return answer;
      const { epoch } = logPositionOf(answer.position);
      if (request.expected === 0 && epoch === 1) leases.claimed(session, epoch);
      if (records.length > 0) wakeUps.committed({ session, seq: answer.seq });
      if (settles !== undefined) {
        wakeUps.wakeOthers();
        wakeUps.look();
      }
      return answer;
    },
    async read(session, { after, limit = Infinity }) {
      const newest = await existing(session);
      if (newest === undefined) return { events: [], last: 0 };
      // Opening asks for events after the snapshot, usually none.
      if (after >= newest.head.seq) return { events: [], last: newest.head.seq };
      return noting(session, newest, (isSure) =>
        reader.after(session, newest, { after, limit, atDamage: 'stop', isSure }),
      );
    },
    async readBack(session, range) {
      const newest = await existing(session);
      if (newest === undefined) return { events: [], last: 0 };
      return noting(session, newest, () => reader.before(session, newest, range));
    },
    async check(session) {
      const newest = await existing(session);
      if (newest === undefined) return [];
      const whole = { after: 0, limit: Infinity, atDamage: 'go-on' } as const;
      const look = (isSure: boolean) => reader.after(session, newest, { ...whole, isSure });
      const { damages } = await surely(session, newest, look);
      const [damage] = damages;
      await writer.noteDamage(session, damage && { seq: damage.seq, reason: damage.reason });
      return damages;
    },
    async head(session) {
      const [newest, entry] = await Promise.all([existing(session), directory.read(session)]);
      if (newest === undefined) return undefined;
      const { seq, epoch, leastReader } = newest.head;
      const damage = entry?.listed.damage;
      return {
        seq,
        epoch,
        ...(leastReader > 1 && { leastReader }),
        ...(damage !== undefined && { damage: { session, ...damage } }),
      };
    },
    keyed: (session, key) => writer.keyed(session, key),
    createdWith: (key) => creations.find(key),
    list: async (query) => listEntries(await entries(), query),
    async listText(query) {
      const { entries: page, ...rest } = listEntries(await entries(), query);
      return { entries: JSON.stringify(page), ...rest };
    },
    openQuestions: async ({ session }) =>
      (await entries())
        .flatMap((listed) => (session === undefined || listed.session === session ? listed.questions : []))
        .toSorted(byOpening),
    async loadSnapshot(session) {
      const message = await client.last(`Reading session ${session}`, layout.kept, snapshotSubject(session));
      const stored = message && snapshotIn(message.body);
      if (stored === undefined) return undefined;
      const { at, session: _session, ...snapshot } = stored;
      if (at > 0) reader.remember(session, snapshot.seq, at);
      return snapshot;
    },
    async saveSnapshot(session, snapshot, { epoch }) {
      const newest = await existing(session);
      if (newest?.head.epoch !== epoch || snapshot.seq > newest.head.seq) return;
      const doing = `Saving a snapshot of session ${session}`;
      const at = snapshot.seq === newest.head.seq ? newest.seq : 0;
      const body = JSON.stringify({ ...snapshot, session, at } satisfies StoredSnapshot);
      const group = `${session}~snapshot`;
      if (Buffer.byteLength(body) > client.mostBytes) await purgePieces(client, layout, doing, group);
      await client.publish(doing, snapshotSubject(session), body, { group });
    },
    onCommit: (listener) => wakeUps.onCommit(listener),
    [Symbol.asyncDispose]: parts.close,
  };
}

interface StoredSnapshot extends Snapshot {
  readonly session: SessionId;
  /** The message of the log that ends with its newest event; 0: unknown. */
  readonly at: number;
}

/** Undefined while it is being replaced. */
function snapshotIn(body: Buffer): StoredSnapshot | undefined {
  try {
    return JSON.parse(body.toString()) as StoredSnapshot;
  } catch {
    return undefined;
  }
}

function byOpening(a: QuestionEntry, b: QuestionEntry): number {
  return a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1);
}
