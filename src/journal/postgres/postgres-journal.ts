import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type {
  AppendAnswer,
  Creation,
  Damage,
  Journal,
  KeptKey,
  Page,
  QuestionEntry,
  Snapshot,
} from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { CollectedPage } from '../collect.ts';
import { assertRecords } from '../new-records.ts';
import type { ProcessLeases } from '../process-leases.ts';
import { appendOpOf, hashOf, type AppendOp } from './append-op.ts';
import type { AppendWritten } from './group-writer.ts';
import { listDirectoryText } from './list-directory.ts';
import { opaque } from '../log-position.ts';
import { findSession, readAfter, readBefore } from './read-records.ts';
import { damageOf } from '../stored-session-row.ts';
import type { StoreParts } from './store-parts.ts';

export function createPostgresJournal(parts: StoreParts, leases: Pick<ProcessLeases, 'claimed'>): Journal {
  const { db, s, writer, wakeUps } = parts;

  /** Stores the damage that a read found: the session rejects writes. */
  async function noting(session: SessionId, { events, last, damages }: CollectedPage): Promise<Page> {
    const [damage] = damages;
    if (damage === undefined) return { events, last };
    await markDamage(parts, session, damage);
    return { events, last, damage };
  }

  async function one<Row>(
    session: SessionId,
    sql: string,
    ...values: readonly string[]
  ): Promise<Row | undefined> {
    const [row] = await db.rows<Row>(`Reading session ${session}`, sql, values);
    return row;
  }

  return {
    async append(request) {
      assertRecords(request);
      const op = appendOpOf(request);
      const answer = answerOf(op, await writer.write(op));
      if (answer.type !== 'appended') return answer;
      if (request.expected === 0 && op.epoch === 1) leases.claimed(request.session, op.epoch);
      if (request.records.length > 0) wakeUps.committed({ session: request.session, seq: answer.seq });
      if (request.settles !== undefined) wakeUps.wakeOthers();
      if (request.settles !== undefined) wakeUps.look();
      return answer;
    },
    async read(session, { after, limit = Infinity }) {
      const row = await findSession(parts, session);
      if (row === undefined) return { events: [], last: 0 };
      // Opening asks for events after the snapshot, usually none.
      if (after >= row.seq) return { events: [], last: row.seq };
      return noting(session, await readAfter(parts, row, { session, after, limit, atDamage: 'stop' }));
    },
    async readBack(session, range) {
      const row = await findSession(parts, session);
      if (row === undefined) return { events: [], last: 0 };
      return noting(session, await readBefore(parts, row, { session, ...range }));
    },
    async check(session) {
      const row = await findSession(parts, session);
      if (row === undefined) return [];
      const whole = { session, after: 0, limit: Infinity, atDamage: 'go-on' } as const;
      const { damages } = await readAfter(parts, row, whole);
      await markDamage(parts, session, damages[0]);
      return damages;
    },
    async head(session) {
      const row = await findSession(parts, session);
      if (row === undefined) return undefined;
      const damage = damageOf(session, row);
      return {
        seq: row.seq,
        epoch: row.epoch,
        ...(row.least_reader > 1 && { leastReader: row.least_reader }),
        ...optional({ damage }),
      };
    },
    keyed: (session, key) =>
      one<KeptKey>(
        session,
        `SELECT digest, seq FROM ${s}.keys JOIN ${s}.sessions ON sessions.number = keys.session
         WHERE sessions.id = $1 AND hash = $2`,
        session,
        hashOf(key),
      ),
    async createdWith(key) {
      const sql = `SELECT session, digest FROM ${s}.creations WHERE hash = $1`;
      const [row] = await db.rows<Creation>('Looking for a session by its key', sql, [hashOf(key)]);
      return row;
    },
    async list(query) {
      const { entries, ...rest } = await listDirectoryText(parts, query);
      return { entries: JSON.parse(entries) as readonly DirectoryEntry[], ...rest };
    },
    listText: (query) => listDirectoryText(parts, query),
    openQuestions: ({ session }) =>
      db.rows<QuestionEntry>(
        'Listing questions',
        `SELECT q.id, sessions.id AS session, q.opened_at AS "openedAt", q.type, q.about
         FROM ${s}.questions q JOIN ${s}.sessions ON sessions.number = q.session
         WHERE $1::text IS NULL OR sessions.id = $1 ORDER BY q.opened_at, q.id`,
        [session ?? null],
      ),
    loadSnapshot: (session) =>
      one<Snapshot>(
        session,
        `SELECT snapshots.seq, version, body FROM ${s}.snapshots
         JOIN ${s}.sessions ON sessions.number = snapshots.session WHERE sessions.id = $1`,
        session,
      ),
    async saveSnapshot(session, { seq, version, body }, { epoch }) {
      await db.rows(
        `Saving a snapshot of session ${session}`,
        `WITH head AS (
           SELECT number, coalesce((SELECT last FROM ${s}.records WHERE session = number ORDER BY position DESC LIMIT 1), 0) AS seq
           FROM ${s}.sessions WHERE id = $1 AND epoch = $2),
         noted AS (
           UPDATE ${s}.sessions SET least_seq = head.seq FROM head
           WHERE sessions.number = head.number AND least_seq < head.seq)
         INSERT INTO ${s}.snapshots (session, seq, version, body)
         SELECT number, $3, $4, $5 FROM head WHERE seq >= $3
         ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, version = excluded.version, body = excluded.body`,
        [session, epoch, seq, version, body],
      );
    },
    onCommit: (listener) => wakeUps.onCommit(listener),
    [Symbol.asyncDispose]: parts.close,
  };
}

/** Without damage the session is sound. */
export async function markDamage(
  { db, s }: Pick<StoreParts, 'db' | 's'>,
  session: SessionId,
  damage: Pick<Damage, 'seq' | 'reason'> | undefined,
): Promise<void> {
  await db.rows(
    `Noting the state of session ${session}`,
    `UPDATE ${s}.sessions SET damage_seq = $2, damage_reason = $3 WHERE id = $1 AND damage_seq IS DISTINCT FROM $2`,
    [session, damage?.seq ?? null, damage?.reason ?? null],
  );
}

function answerOf({ id, session, epoch }: AppendOp, written: AppendWritten): AppendAnswer {
  const { type } = written;
  const number = (name: string) => Number(written[name]);
  const text = (name: string) => (typeof written[name] === 'string' ? written[name] : '');
  switch (type) {
    case 'appended':
      return {
        type,
        seq: number('seq'),
        position: opaque({ at: number('position'), append: id, epoch }),
      };
    case 'damaged':
      return { type, damage: { session, seq: number('seq'), reason: text('reason') } };
    case 'created-before':
      return { type, session: written['session'] as SessionId, digest: text('digest') };
    case 'origin-missing':
      return { type, session: written['session'] as SessionId };
    case 'blob-missing':
      return { type, hashes: written['hashes'] as readonly BlobHash[] };
    case 'conflict':
      return { type, seq: number('seq') };
    case 'fenced':
      return { type, epoch: number('epoch') };
    case 'duplicate':
    case 'key-reused':
      return { type, index: number('index'), seq: number('seq') };
    default:
      throw new Error(`The server answered an append with "${type}", which this Rondo does not know.`);
  }
}
