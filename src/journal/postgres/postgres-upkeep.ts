import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Time } from '../../kernel/time.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { QuestionEntry } from '../../ports/journal.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import type { KnownOwner, Shown, Upkeep } from '../../ports/upkeep.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { ProcessLeases } from '../process-leases.ts';
import { ownerOf, type ProcessRow } from '../process-row.ts';
import { projectionJson } from './append-op.ts';
import { createPostgresSearch } from './postgres-search.ts';
import type { StoreParts } from './store-parts.ts';
import { createBlobSweep } from './sweep-blobs.ts';

export function createPostgresUpkeep(
  parts: StoreParts,
  blobs: Blobs,
  leases: Pick<ProcessLeases, 'forgotten'>,
): Upkeep {
  const { db, s, self, clock, watch } = parts;
  const ifDone = (isDone: boolean) => (isDone ? 'done' : 'changed');
  return {
    async records(session, { after, limit }) {
      const rows = await db.rows<Omit<StoredRecord, 'session'> & { key: string | null; digest: string }>(
        `Reading session ${session}`,
        `SELECT first, last, checksum, body, key, digest FROM ${s}.sessions
         JOIN ${s}.records ON records.session = number
         LEFT JOIN ${s}.keys ON keys.session = number AND keys.seq = records.first
         WHERE id = $1 AND first IS NOT NULL AND last > $2 ORDER BY first LIMIT $3`,
        [session, after, limit],
      );
      return rows.map(({ key, digest, ...row }) => ({
        session,
        ...row,
        ...(key !== null && { key: { key, digest } }),
      }));
    },
    async sessions() {
      const rows = await db.rows<{ id: SessionId }>(
        'Listing sessions',
        `SELECT id FROM ${s}.sessions ORDER BY id`,
      );
      return rows.map(({ id }) => id);
    },
    async sizes() {
      const rows = await db.rows<{ id: SessionId; bytes: number }>(
        'Measuring sessions',
        `SELECT id, (coalesce((SELECT sum(octet_length(body) + 40) FROM ${s}.records
             WHERE records.session = number AND first IS NOT NULL), 0)
           + coalesce((SELECT octet_length(body) FROM ${s}.snapshots WHERE snapshots.session = number), 0))::bigint AS bytes
         FROM ${s}.sessions`,
      );
      return new Map(rows.map(({ id, bytes }) => [id, bytes]));
    },
    async shown(session) {
      const [row] = await db.rows<ShownRow>(
        `Reading session ${session}`,
        `SELECT due, entry, in_flight,
           (SELECT coalesce(jsonb_agg(jsonb_build_object('id', q.id, 'openedAt', opened_at, 'type', type, 'about', about)
              ORDER BY opened_at, q.id), '[]') FROM ${s}.questions q WHERE q.session = number) AS questions
         FROM ${s}.sessions LEFT JOIN ${s}.directory ON directory.session = number WHERE sessions.id = $1`,
        [session],
      );
      return shownIn(session, row);
    },
    show: async (session, { entry, questions, due, inFlight }, { seq }) =>
      ifDone(
        await db.value<boolean>(`Changing what is shown of session ${session}`, `SELECT ${s}.reshow($1, $2, $3)`, [
          session,
          seq,
          projectionJson({ ...optional({ entry }), questionsOpened: questions, due, inFlight }),
        ]),
      ),
    setAside: async (session, { epoch, seq }, { from, reason }) =>
      ifDone(
        await db.value<boolean>(
          `Repairing session ${session}`,
          `SELECT ${s}.set_aside($1, $2, $3, $4, $5, $6, $7)`,
          [session, self().id, epoch, seq, from, reason, clock.now()],
        ),
      ),
    async remove(session, { epoch, seq }, { family }) {
      const isDone = await db.value<boolean>(
        `Removing session ${session}`,
        `SELECT ${s}.remove($1, $2, $3, $4, $5)`,
        [session, self().id, epoch, seq, family],
      );
      if (isDone) leases.forgotten(session);
      return ifDone(isDone);
    },
    async blobsOf(session) {
      const rows = await db.rows<{ hash: BlobHash }>(
        `Looking for blobs of session ${session}`,
        `SELECT hash FROM ${s}.blob_references JOIN ${s}.sessions ON number = session WHERE id = $1 ORDER BY hash`,
        [session],
      );
      return rows.map(({ hash }) => hash);
    },
    sweepBlobs: createBlobSweep(parts, blobs),
    async forks() {
      const rows = await db.rows<{ session: SessionId; origin: SessionId }>(
        'Looking for forks',
        `SELECT session, origin FROM ${s}.fork_references ORDER BY session, origin`,
      );
      return [...Map.groupBy(rows, ({ session }) => session)].map(([session, references]) => ({
        session,
        refersTo: references.map(({ origin }) => origin),
      }));
    },
    search: createPostgresSearch(parts, blobs),
    async owners() {
      const rows = await db.rows<ProcessRow & { sessions: number }>(
        'Listing owners',
        `SELECT *, (SELECT count(*) FROM ${s}.sessions WHERE owner = processes.number) AS sessions
         FROM ${s}.processes ORDER BY number`,
      );
      return rows.map((row): KnownOwner => ({
        owner: ownerOf(row),
        sessions: row.sessions,
        isGone: watch.isGone(row),
      }));
    },
    async problems() {
      const rows = await db.rows<{ name: string }>(
        'Checking the schema',
        `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
         WHERE relnamespace = $1::regnamespace AND NOT indisvalid`,
        [s],
      );
      return rows.map(({ name }) => `index ${name} is invalid: run REINDEX INDEX ${name}`);
    },
    async writers() {
      const rows = await db.rows<{ version: string }>(
        'Listing writers',
        `SELECT version FROM ${s}.writers ORDER BY number`,
      );
      return rows.map(({ version }) => version);
    },
  };
}

interface ShownRow {
  readonly due: Time | null;
  readonly entry: string | null;
  readonly in_flight: number | null;
  readonly questions: readonly Omit<QuestionEntry, 'session'>[];
}

function shownIn(session: SessionId, row: ShownRow | undefined): Shown {
  if (row === undefined) return { questions: [], due: null, inFlight: false };
  return {
    ...(row.entry !== null && { entry: JSON.parse(row.entry) as DirectoryEntry }),
    questions: row.questions.map((question) => ({ session, ...question })),
    due: row.due,
    inFlight: row.in_flight === 1,
  };
}
