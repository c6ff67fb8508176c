/**
 * Builds a new store from everything readable in a damaged database file.
 *
 * 1. The damaged file is renamed, never changed. A copy is padded with zeros to its full length, so that SQLite
 *    opens it and fails only where data is missing.
 * 2. A session keeps its records up to the first missing or bad one; later ones are set aside.
 * 3. Lists and inboxes aren't copied: the caller rebuilds them from the journals.
 */
import { copyFile, open, rename, rm } from 'node:fs/promises';

import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { decodeRecord } from '../codec.ts';
import { openDriver, type Driver, type SqlValue } from './driver.ts';
import { migrate } from './migrate.ts';
import { orUndefined, readableRows } from './readable-rows.ts';
import { hasTable, makeTable } from './tables-on-demand.ts';

/** Returns what was done, in words. */
export async function salvageStore(file: string): Promise<string> {
  const now = Date.now();
  const kept = `${file}.damaged-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  const copy = `${file}.salvage`;
  const made = `${file}.new`;
  await removeAll(copy, made);
  await rename(file, kept);
  await rename(`${file}-wal`, `${kept}-wal`).catch(() => undefined);
  await rm(`${file}-shm`, { force: true });
  await copyFile(kept, copy);
  await copyFile(`${kept}-wal`, `${copy}-wal`).catch(() => undefined);
  await bringToLength(copy);
  const counts = copyReadable(copy, made, now);
  await rename(made, file);
  await removeAll(copy, made);
  const { sessions, records, aside } = counts;
  const behind = aside === 0 ? '' : `, ${aside} more were set aside`;
  return `${records} records of ${sessions} sessions were read out of it${behind}; the damaged file is kept as ${kept}`;
}

async function removeAll(...files: readonly string[]): Promise<void> {
  const all = files.flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
  await Promise.all(all.map((file) => rm(file, { force: true })));
}

/** Pads to the length in the file's header. */
async function bringToLength(file: string): Promise<void> {
  await using handle = await open(file, 'r+');
  const header = Buffer.alloc(100);
  const { bytesRead } = await handle.read(header, 0, 100, 0);
  if (bytesRead < 100) return;
  const size = header.readUInt16BE(16);
  const pageSize = size === 1 ? 65_536 : size;
  const length = Math.max(header.readUInt32BE(28), 1) * pageSize;
  if ((await handle.stat()).size < length) await handle.truncate(length);
}

interface Counts {
  readonly sessions: number;
  readonly records: number;
  readonly aside: number;
}

function copyReadable(from: string, to: string, now: number): Counts {
  const fresh = openDriver(to, { busyTimeoutMs: 1000 });
  let old: Driver | undefined;
  try {
    migrate(fresh, to);
    fresh.exec('BEGIN');
    old = openQuietly(from);
    const counts = old === undefined ? { sessions: 0, records: 0, aside: 0 } : copyAll(old, fresh, now);
    fresh.exec('COMMIT');
    // Moves everything into the one file that is renamed.
    fresh.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return counts;
  } finally {
    old?.close();
    fresh.close();
  }
}

function openQuietly(file: string): Driver | undefined {
  try {
    const driver = openDriver(file, { busyTimeoutMs: 1000 });
    driver.get('SELECT 1 FROM sqlite_schema');
    return driver;
  } catch {
    return undefined;
  }
}

function copyAll(old: Driver, fresh: Driver, now: number): Counts {
  const ids = new Map<number, SessionId>();
  for (const { number, id, epoch } of readableRows<SessionRow>(old, 'sessions', 'number')) {
    if (id === null || epoch === null) continue;
    ids.set(number, id);
    fresh.run('INSERT INTO sessions (number, id, least_seq, epoch) VALUES (?, ?, 0, ?)', number, id, epoch);
  }
  const reached = new Map<number, number>();
  let records = 0;
  let aside = 0;
  const bySession = [...readableRows<RecordRow>(old, 'records', 'position')].toSorted(
    (a, b) => a.session - b.session || (a.first ?? 0) - (b.first ?? 0),
  );
  for (const row of bySession) {
    // The marker of a removal.
    if (row.session === 0) continue;
    const id = ids.get(row.session);
    const why = id === undefined ? 'its session is not known' : whyAside(row, id, reached.get(row.session) ?? 0);
    const { position, session, first, last, checksum, body } = row;
    if (why === undefined) {
      fresh.run(insertRecord, position, session, first, last, checksum, body);
      reached.set(session, last ?? 0);
      records += 1;
    } else {
      // A row on a partial page may have missing columns.
      fresh.run(
        insertAside,
        id ?? `unknown-${session}`,
        first ?? 0,
        last ?? 0,
        checksum ?? 0,
        body ?? '',
        why,
        now,
      );
      aside += 1;
    }
  }
  for (const row of readableRows<KeyRow>(old, 'keys')) {
    if (row.seq > (reached.get(row.session) ?? 0)) continue;
    fresh.run(
      'INSERT OR IGNORE INTO keys (session, key, digest, seq) VALUES (?, ?, ?, ?)',
      row.session,
      row.key,
      row.digest,
      row.seq,
    );
  }
  if (orUndefined(() => hasTable(old, 'jobs')) === true) makeTable(fresh, 'jobs');
  copyOtherTables(old, fresh);
  return { sessions: reached.size, records, aside };
}

function whyAside(row: RecordRow, session: SessionId, reached: number): string | undefined {
  const { first, last, checksum, body } = row;
  if (first === null || last === null || checksum === null || body === null) return 'part of it is lost';
  if (first !== reached + 1) return `events ${reached + 1} to ${first - 1} before it are lost`;
  try {
    const decoded = decodeRecord({ session, first, last, checksum, body });
    return decoded.type === 'damaged' ? decoded.reason : undefined;
  } catch (error) {
    // Written by a newer Rondo: sound, and left for that version.
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

/** Tables that are derived, concern dead processes, or were already copied. */
const notCopied =
  /^(sessions|records|keys|directory|questions|snapshots|processes|handovers|facts|writers|search.*|sqlite_.*)$/;

function copyOtherTables(old: Driver, fresh: Driver): void {
  for (const { name } of fresh.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)) {
    if (notCopied.test(name)) continue;
    const columns = fresh
      .all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`)
      .map((column) => column.name);
    const insert = `INSERT OR IGNORE INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    for (const row of readableRows<Readonly<Record<string, SqlValue>>>(old, name)) {
      if (columns.every((column) => Object.hasOwn(row, column)))
        fresh.run(insert, ...columns.map((column) => row[column] ?? null));
    }
  }
}

/** As far as readable; columns may be missing. */
interface SessionRow {
  readonly number: number;
  readonly id: SessionId | null;
  readonly epoch: number | null;
}

interface RecordRow {
  readonly position: number;
  readonly session: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly checksum: number | null;
  readonly body: string | null;
}

interface KeyRow {
  readonly session: number;
  readonly key: string;
  readonly digest: string;
  readonly seq: number;
}

const insertRecord =
  'INSERT INTO records (position, session, first, last, checksum, body) VALUES (?, ?, ?, ?, ?, ?)';
const insertAside = `
  INSERT INTO set_aside (session, first, last, checksum, body, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?)`;
