import { setImmediate } from 'node:timers/promises';

import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Time } from '../../kernel/time.ts';
import type { StoredRecord } from '../../ports/stored-record.ts';
import type { FileBlobs } from '../file-blobs.ts';
import type { QuestionEntry } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { excerptOf, searchableText, searchWords } from '../searchable-text.ts';
import type { KnownOwner, SearchHit, Shown, Upkeep, UpkeepAnswer } from '../../ports/upkeep.ts';
import { projectionTuple } from '../projection-tuple.ts';
import type { Driver } from './driver.ts';
import type { StoreParts } from './store-parts.ts';
import { createBlobSweep } from './sweep-blobs.ts';
import { hasTable } from './tables-on-demand.ts';
import { ownerOf, type ProcessRow } from '../process-row.ts';
import type { UpkeepOp } from './writer-protocol.ts';

const rowsAtOnce = 500;

export function createSqliteUpkeep(parts: StoreParts, blobs: FileBlobs): Upkeep {
  const { read, writer } = parts;
  const { sweep, blobsOf } = createBlobSweep(parts, blobs);
  const write = async (op: UpkeepOp) => (await writer.write(op)) as UpkeepAnswer;

  let catchingUp: Promise<void> | undefined;
  /** Indexes everything written since the last search. Searches at the same time share the work. */
  async function catchUp(db: Driver): Promise<void> {
    await (catchingUp ??= indexNew(db).finally(() => (catchingUp = undefined)));
  }
  async function indexNew(db: Driver): Promise<void> {
    let from = db.get<{ value: number }>(`SELECT value FROM facts WHERE name = 'searched_to'`)?.value ?? 0;
    for (;;) {
      const rows = db.all<PlacedRow>(selectPlaced, from, rowsAtOnce);
      const last = rows.at(-1);
      if (last === undefined) return;
      const texts: [number, string][] = [];
      for (const row of rows) {
        const text = await searchableText(row, blobs);
        if (text !== '') texts.push([row.position, text]);
      }
      await write(['index', last.position, texts]);
      from = last.position;
      await setImmediate();
    }
  }

  return {
    records: (session, { after, limit }) =>
      read(`Reading session ${session}`, (db) => {
        const rows = db.all<Omit<StoredRecord, 'session'>>(selectRecords, session, after, limit);
        const [first, last] = [rows[0]?.first ?? 0, rows.at(-1)?.first ?? 0];
        const keys = new Map(
          db.all<KeyRow>(selectKeys, session, first, last).map(({ seq, ...key }) => [seq, key]),
        );
        return rows.map((row) => {
          const key = keys.get(row.first);
          return { session, ...row, ...optional({ key }) };
        });
      }),
    sessions: () =>
      read('Listing sessions', (db) =>
        db.all<{ id: SessionId }>('SELECT id FROM sessions ORDER BY id').map(({ id }) => id),
      ),
    sizes: () =>
      read(
        'Measuring sessions',
        (db) => new Map(db.all<{ id: SessionId; bytes: number }>(selectSizes).map(({ id, bytes }) => [id, bytes])),
      ),
    shown: (session) => read(`Reading session ${session}`, (db) => shownOf(db, session)),
    show: (session, { entry, questions, due, inFlight }, { seq }) =>
      write([
        'show',
        session,
        seq,
        projectionTuple({ ...optional({ entry }), questionsOpened: questions, due, inFlight }),
      ]),
    setAside: (session, { epoch, seq }, { from, reason }) =>
      write(['set-aside', session, epoch, seq, from, reason]),
    remove: (session, { epoch, seq }, { family }) => write(['remove', session, epoch, seq, family]),
    blobsOf,
    sweepBlobs: sweep,
    forks: () =>
      read('Looking for forks', (db) => {
        const rows = db.all<{ session: SessionId; origin: SessionId }>(selectForks);
        return [...Map.groupBy(rows, ({ session }) => session)].map(([session, references]) => ({
          session,
          refersTo: references.map(({ origin }) => origin),
        }));
      }),
    search: ({ text, limit = 20, session }) =>
      read('Searching', async (db): Promise<readonly SearchHit[]> => {
        const words = searchWords(text);
        if (words.length === 0) return [];
        await catchUp(db);
        if (!hasTable(db, 'search')) return [];
        const wanted = words.map((word) => `"${word}"*`).join(' ');
        const rows =
          session === undefined
            ? db.all<PlacedRow>(selectHits, wanted, limit)
            : db.all<PlacedRow>(selectHitsIn, wanted, session, limit);
        const hits = rows.map(async (row) => ({
          session: row.session,
          seq: row.first,
          excerpt: excerptOf(await searchableText(row, blobs), text),
        }));
        return Promise.all(hits);
      }),
    owners: () =>
      read('Listing owners', (db) =>
        db.all<ProcessRow & { sessions: number }>(selectOwners).map((row): KnownOwner => {
          return { owner: ownerOf(row), sessions: row.sessions, isGone: parts.watch.isGone(row) };
        }),
      ),
    problems: () =>
      read('Checking the file', (db) =>
        db
          .all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
          .map(({ integrity_check: problem }) => problem)
          .filter((problem) => problem !== 'ok'),
      ),
    writers: () =>
      read('Listing writers', (db) =>
        db.all<{ version: string }>('SELECT version FROM writers ORDER BY position').map(({ version }) => version),
      ),
  };
}

function shownOf(db: Driver, session: SessionId): Shown {
  const row = db.get<ShownRow>(selectShown, session);
  if (row === undefined) return { questions: [], due: null, inFlight: false };
  return {
    ...(row.entry !== null && { entry: JSON.parse(row.entry) as DirectoryEntry }),
    questions: db
      .all<Omit<QuestionEntry, 'session'>>(selectQuestions, row.number)
      .map(({ id, openedAt, type, about }) => ({ id, session, openedAt, type, about })),
    due: row.due,
    inFlight: row.in_flight === 1,
  };
}

interface ShownRow {
  readonly number: number;
  readonly due: Time | null;
  readonly entry: string | null;
  readonly in_flight: number | null;
}

interface PlacedRow extends StoredRecord {
  readonly position: number;
}

interface KeyRow {
  readonly key: string;
  readonly digest: string;
  readonly seq: number;
}

const selectRecords = `
  SELECT first, last, checksum, body FROM sessions JOIN records ON records.session = sessions.number
  WHERE sessions.id = ? AND records.last > ? ORDER BY first LIMIT ?`;
const selectKeys = `
  SELECT keys.key, keys.digest, keys.seq FROM sessions JOIN keys ON keys.session = sessions.number
  WHERE sessions.id = ? AND keys.seq BETWEEN ? AND ?`;
const selectSizes = `
  SELECT sessions.id, coalesce((SELECT sum(octet_length(body) + 40) FROM records WHERE records.session = number), 0)
    + coalesce((SELECT octet_length(body) FROM snapshots WHERE snapshots.session = number), 0) AS bytes
  FROM sessions`;
const selectShown = `
  SELECT sessions.number, sessions.due, directory.entry, directory.in_flight FROM sessions
  LEFT JOIN directory ON directory.session = sessions.number WHERE sessions.id = ?`;
const selectQuestions = `
  SELECT id, opened_at AS openedAt, type, about FROM questions WHERE session = ? ORDER BY opened_at, id`;
const selectPlaced = `
  SELECT records.position, sessions.id AS session, first, last, checksum, body FROM records
  JOIN sessions ON sessions.number = records.session WHERE records.position > ? ORDER BY records.position LIMIT ?`;
const selectForks = 'SELECT session, origin FROM fork_references ORDER BY session, origin';
const selectHits = `
  SELECT records.position, sessions.id AS session, first, last, checksum, body FROM (
    SELECT max(search.rowid) AS position FROM search
    JOIN records ON records.position = search.rowid WHERE search MATCH ? GROUP BY records.session
  ) AS hits JOIN records ON records.position = hits.position JOIN sessions ON sessions.number = records.session
  ORDER BY hits.position DESC LIMIT ?`;
const selectHitsIn = `
  SELECT records.position, sessions.id AS session, first, last, checksum, body FROM search
  JOIN records ON records.position = search.rowid JOIN sessions ON sessions.number = records.session
  WHERE search MATCH ? AND sessions.id = ? ORDER BY records.position DESC LIMIT ?`;
const selectOwners = `
  SELECT processes.*, (SELECT count(*) FROM sessions WHERE owner = processes.number) AS sessions
  FROM processes ORDER BY number`;
