/**
 * Group commit: one transaction and one fsync for a batch of operations.
 *
 * 1. Each operation is checked inside the transaction. A refused one writes nothing and doesn't stop the others.
 * 2. If the transaction fails, nothing of the batch is stored. If a single operation may be the cause, each is
 *    tried alone.
 * 3. Answers are sent after the commit.
 * 4. Leases, which only live processes use, and snapshots, which are a cache, are committed without their own
 *    fsync. A power cut may undo them, in order and together with those processes. The next append syncs them too.
 */
import { failureOf, type StoreFailure } from '../store-fault.ts';
import type { Driver } from './driver.ts';
import { writeQueue } from './job-queue-write.ts';
import { createSessionHeads } from './session-heads.ts';
import { noteWriter } from './note-writer.ts';
import { writeAppend } from './write-append.ts';
import { writeBlobs } from './write-blobs.ts';
import {
  writeClaim,
  writeCleaned,
  writeForgetProcess,
  writeHandOver,
  writeLeave,
  writeRelease,
  writeRenewal,
} from './write-lease.ts';
import { writeDocument, writeNode } from './write-nodes.ts';
import { writeUpkeep } from './write-upkeep.ts';
import type { Batch, BatchAnswer, OpFailure, WriteOp } from './writer-protocol.ts';
import type { Writing } from './writing.ts';

export function createBatchWriter(
  db: Driver,
  { self, version, path }: Pick<Writing, 'self' | 'version' | 'path'>,
): (batch: Batch) => BatchAnswer {
  const writing: Writing = { db, heads: createSessionHeads(db), self, version, path, now: 0, newest: 0 };
  let isNoted = false;

  function commit(ops: readonly WriteOp[]): BatchAnswer {
    db.run('BEGIN IMMEDIATE');
    writing.heads.begin();
    const answers: unknown[] = [];
    let written = 0;
    for (const op of ops) {
      const answer = write(writing, op);
      answers.push(answer);
      if (op[0] === 'append' && typeof answer === 'number') written += op[4].length;
      // A removal leaves one marker record.
      if (op[0] === 'remove' && answer === 'done') written += 1;
    }
    const last = writing.newest;
    if (written > 0 && !isNoted) noteWriter(writing, last);
    db.run('COMMIT');
    isNoted ||= written > 0;
    return { answers, positions: written === 0 ? null : [last - written + 1, last] };
  }

  function tryCommit(ops: readonly WriteOp[]): BatchAnswer | StoreFailure {
    const isSynced = !ops.every(mayBeTakenBack);
    if (!isSynced) db.exec('PRAGMA synchronous = NORMAL');
    try {
      return commit(ops);
    } catch (error) {
      rollBack(writing);
      return failureOf(error);
    } finally {
      if (!isSynced) db.exec('PRAGMA synchronous = FULL');
    }
  }

  return ({ now, ops }) => {
    writing.now = now;
    const together = tryCommit(ops);
    if ('answers' in together) return together;
    if (ops.length === 1 || concernsAll.test(together.code))
      return { answers: ops.map(() => failed(together)), positions: null };
    const alone = ops.map((op) => tryCommit([op]));
    const ranges = alone.flatMap((one) => ('answers' in one && one.positions !== null ? [one.positions] : []));
    const [from] = ranges[0] ?? [];
    const [, to] = ranges.at(-1) ?? [];
    return {
      answers: alone.map((one) => ('answers' in one ? one.answers[0] : failed(one))),
      positions: from === undefined || to === undefined ? null : [from, to],
    };
  };
}

/** Failures of the file, not of one operation. */
const concernsAll = /^SQLITE_(FULL|READONLY|CANTOPEN|NOTADB|BUSY|LOCKED|IOERR)/;

const takenBack: ReadonlySet<WriteOp[0]> = new Set([
  'claim',
  'cleaned',
  'renew',
  'release',
  'leave',
  'forget-process',
  'snapshot',
]);

function mayBeTakenBack([type]: WriteOp): boolean {
  return takenBack.has(type);
}

function write(writing: Writing, op: WriteOp): unknown {
  const { db, heads, now } = writing;
  switch (op[0]) {
    case 'append':
      return writeAppend(writing, op);
    case 'snapshot': {
      const [, session, epoch, seq, version, body] = op;
      const head = heads.find(session);
      if (head === undefined || head.epoch !== epoch || seq > head.seq) return null;
      db.run(replaceSnapshot, head.number, seq, version, body);
      db.run(noteLeast, head.seq, head.number);
      return null;
    }
    case 'damage': {
      const [, session, seq, reason] = op;
      db.run('UPDATE sessions SET damage_seq = ?, damage_reason = ? WHERE id = ?', seq, reason, session);
      heads.forget(session);
      return null;
    }
    case 'claim':
      return writeClaim(writing, op[1], op[2]);
    case 'cleaned':
      return writeCleaned(writing, op[1], op[2]);
    case 'release':
      return writeRelease(writing, op[1], { epoch: op[2], isUnclean: op[3] });
    case 'renew':
      return writeRenewal(writing);
    case 'leave':
      return writeLeave(writing);
    case 'forget-process':
      return writeForgetProcess(writing, op[1]);
    case 'hand-over':
      return writeHandOver(writing, op[1], op[2]);
    case 'put':
      return db.get<{ id: number }>(insertMessage, op[1], op[2], op[3])?.id;
    case 'bury':
      return db.run(buryMessage, op[2], now, op[3], op[1]);
    case 'queue':
      return writeQueue(writing, op[1]);
    case 'host': {
      const [, session, body] = op;
      if (body === null) db.run('DELETE FROM hosted WHERE session = ?', session);
      else db.run('INSERT OR REPLACE INTO hosted (session, body) VALUES (?, ?)', session, body);
      return null;
    }
    case 'blobs':
      return writeBlobs(writing, op[1]);
    case 'node':
      return writeNode(writing, op[1]);
    case 'document':
      return writeDocument(writing, op[1], op[2], op[3]);
    case 'remove':
    case 'set-aside':
    case 'show':
    case 'index':
      return writeUpkeep(writing, op);
  }
}

function rollBack({ db, heads }: Writing): void {
  heads.reset();
  try {
    db.run('ROLLBACK');
  } catch {
    // SQLite already rolled back, or the transaction never began.
  }
}

function failed(failure: StoreFailure): OpFailure {
  return { type: 'failed', failure };
}

const insertMessage = 'INSERT INTO inbox (session, key, body) VALUES (?, ?, ?) RETURNING id';
const buryMessage = `
  UPDATE inbox SET answer = ?, settled_at = ?, buried = ? WHERE id = ? AND answer IS NULL`;
const noteLeast = 'UPDATE sessions SET least_seq = max(least_seq, ?) WHERE number = ?';
const replaceSnapshot = 'INSERT OR REPLACE INTO snapshots (session, seq, version, body) VALUES (?, ?, ?, ?)';
