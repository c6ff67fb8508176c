/** The writer's view of each session's head: read once and cached until another process commits. */
import type { SessionId } from '../../kernel/ids.ts';
import { decodeRecord } from '../codec.ts';
import type { Damage } from '../../ports/journal.ts';
import type { Driver } from './driver.ts';

export interface SessionHead {
  readonly number: number;
  readonly id: string;
  seq: number;
  readonly epoch: number;
  /** The owning process's number. */
  readonly owner: number | null;
  readonly damage: Damage | undefined;
  /** Rarely changing columns of its directory row, as last written. */
  shown?: ShownColumns;
}

interface ShownColumns {
  readonly state: string;
  readonly agent: string;
  readonly parent: string | null;
  readonly title: string;
  readonly inFlight: 0 | 1;
}

export interface SessionHeads {
  /** Call first in every transaction. */
  begin(): void;
  find(id: string): SessionHead | undefined;
  create(id: string, claim: { readonly epoch: number; readonly owner: number | null }): SessionHead;
  /** Its row was changed elsewhere. */
  forget(id: string): void;
  /** The transaction was rolled back. */
  reset(): void;
}

const mostKept = 16_384;

export function createSessionHeads(db: Driver): SessionHeads {
  const kept = new Map<string, SessionHead>();
  let dataVersion: number | undefined;

  function load(id: string): SessionHead | undefined {
    const row = db.get<HeadRow>(selectHead, id);
    if (row === undefined) return undefined;
    const newest = db.get<RecordRow>(selectNewest, row.number);
    const { number, epoch, owner } = row;
    return { number, id, seq: newest?.last ?? 0, epoch, owner, damage: damageOf(id as SessionId, row, newest) };
  }

  return {
    begin() {
      const version = db.number('PRAGMA data_version');
      if (version !== dataVersion || kept.size > mostKept) kept.clear();
      dataVersion = version;
    },
    find(id) {
      const head = kept.get(id);
      if (head !== undefined) return head;
      const loaded = load(id);
      if (loaded !== undefined) kept.set(id, loaded);
      return loaded;
    },
    create(id, { epoch, owner }) {
      const number = db.get<{ number: number }>(insertHead, id, epoch, owner)?.number ?? 0;
      const created: SessionHead = { number, id, seq: 0, epoch, owner, damage: undefined };
      kept.set(id, created);
      return created;
    },
    forget: (id) => void kept.delete(id),
    reset: () => kept.clear(),
  };
}

/** Known damage, or an unusable newest record. */
function damageOf(session: SessionId, row: HeadRow, newest: RecordRow | undefined): Damage | undefined {
  if (row.damage_seq !== null) return { session, seq: row.damage_seq, reason: row.damage_reason ?? '' };
  const last = newest?.last ?? 0;
  if (last < row.least_seq) return { session, seq: last + 1, reason: 'the newest records are missing' };
  if (newest === undefined) return undefined;
  const decoded = decodeRecord({ session, ...newest });
  if (decoded.type === 'decoded') return undefined;
  return { session, seq: newest.first, reason: `the record at ${newest.first} is damaged: ${decoded.reason}` };
}

interface HeadRow {
  readonly number: number;
  readonly least_seq: number;
  readonly epoch: number;
  readonly owner: number | null;
  readonly damage_seq: number | null;
  readonly damage_reason: string | null;
}

interface RecordRow {
  readonly first: number;
  readonly last: number;
  readonly checksum: number;
  readonly body: string;
}

const selectHead = 'SELECT number, least_seq, epoch, owner, damage_seq, damage_reason FROM sessions WHERE id = ?';
const selectNewest =
  'SELECT first, last, checksum, body FROM records WHERE session = ? ORDER BY first DESC LIMIT 1';
const insertHead = 'INSERT INTO sessions (id, least_seq, epoch, owner) VALUES (?, 0, ?, ?) RETURNING number';
