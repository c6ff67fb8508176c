import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, it } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { keyedRecord, record, request } from '../../testing/contracts/journal-samples.ts';
import type { NewRecord } from '../../ports/journal.ts';
import { appendOpOf } from './append-op.ts';
import { openDriver, type Driver } from './driver.ts';
import { migrate } from './migrate.ts';
import { createBatchWriter } from './write-batch.ts';
import type { BatchAnswer, WriteOp } from './writer-protocol.ts';

const self = { id: 'me', pid: 1, startedAt: '1', bootId: 'b', host: 'h' };
const full = { type: 'failed', failure: { code: 'SQLITE_FULL', message: 'database or disk is full' } };

it('commits a whole batch at once; what is refused stops nobody', () => {
  withWriter(({ write, db }) => {
    const answer = write([
      append('ses_1', 0, record('a')),
      append('ses_2', 5, record('conflict')),
      append('ses_1', 1, record('b', 'c'), keyedRecord('d', 'k')),
      append('ses_1', 4, keyedRecord('d', 'k')),
      append('ses_3', 0, record('a')),
    ]);
    expect(answer).toEqual({
      answers: [1, { type: 'conflict', seq: 0 }, 4, { type: 'duplicate', index: 0, seq: 4 }, 1],
      positions: [1, 4],
    });
    expect(db.all(selectHeads)).toEqual([
      { id: 'ses_1', seq: 4, epoch: 1 },
      { id: 'ses_3', seq: 1, epoch: 1 },
    ]);
  });
});

it('writes nothing of a batch for which the disk is full, and continues when there is room again [P1]', () => {
  withWriter(({ write, db }) => {
    write([append('ses_1', 0, record('a'))]);
    const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const big = record('x'.repeat(20_000));
    const batch = [append('ses_1', 1, record('b')), append('ses_2', 0, big), append('ses_3', 0, record('c'))];
    expect(write(batch)).toEqual({ answers: [full, full, full], positions: null });
    expect(db.all(selectHeads)).toEqual([{ id: 'ses_1', seq: 1, epoch: 1 }]);
    expect(db.all('SELECT first, last FROM records')).toEqual([{ first: 1, last: 1 }]);
    db.exec('PRAGMA max_page_count = 1000000');
    expect(write(batch)).toEqual({ answers: [2, 1, 1], positions: [2, 4] });
  });
});

it('lets the others through when one alone cannot be written', () => {
  withWriter(({ write, db }) => {
    db.exec(`CREATE TRIGGER poison BEFORE INSERT ON records WHEN new.body LIKE '%poison%'
      BEGIN SELECT raise(ABORT, 'poisoned'); END`);
    const answer = write([
      append('ses_1', 0, record('a')),
      append('ses_2', 0, record('poison')),
      append('ses_3', 0, record('b')),
    ]);
    expect(answer).toEqual({
      answers: [1, { type: 'failed', failure: { code: 'SQLITE_CONSTRAINT_TRIGGER', message: 'poisoned' } }, 1],
      positions: [1, 2],
    });
    expect(write([append('ses_2', 0, record('c'))])).toEqual({ answers: [1], positions: [3, 3] });
  });
});

it('sees what another connection wrote in between [P4]', () => {
  withWriter(({ write, db, file }) => {
    write([append('ses_1', 0, record('a'))]);
    const other = openDriver(file, { busyTimeoutMs: 100 });
    other.run('UPDATE sessions SET epoch = 7');
    other.close();
    expect(write([append('ses_1', 1, record('b'))])).toEqual({
      answers: [{ type: 'fenced', epoch: 7 }],
      positions: null,
    });
    expect(db.all(selectHeads)).toEqual([{ id: 'ses_1', seq: 1, epoch: 7 }]);
  });
});

it('has leases and snapshots wait for no disk, and all else for it [P1]', () => {
  withWriter(({ write, db }) => {
    db.exec('PRAGMA synchronous = FULL');
    const synced: number[] = [];
    const note = () => synced.push(db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous ?? 0);
    const run = db.run.bind(db);
    db.run = (sql, ...values) => {
      if (sql === 'COMMIT') note();
      return run(sql, ...values);
    };
    const [normal, full] = [1, 2];
    write([append('ses_1', 0, record('a'))]);
    for (const op of [
      ['claim', 'ses_1', null],
      ['snapshot', 'ses_1', 1, 1, 1, '{}'],
      ['renew'],
      ['release', 'ses_1', 1, false],
    ] as const) {
      write([op]);
    }
    write([['claim', 'ses_1', null], append('ses_1', 1, record('b'))]);
    write([['put', 'ses_1', 'key', '{}']]);
    note();
    expect(synced).toEqual([full, normal, normal, normal, normal, full, full, full]);
  });
});

const selectHeads = `
  SELECT id, max(last) AS seq, epoch FROM sessions JOIN records ON session = number GROUP BY id ORDER BY id`;

function append(session: string, expected: number, ...records: readonly NewRecord[]): WriteOp {
  return appendOpOf(request(expected, records, { session: session as SessionId }));
}

interface Writer {
  readonly write: (ops: readonly WriteOp[]) => BatchAnswer;
  readonly db: Driver;
  readonly file: string;
}

function withWriter(work: (writer: Writer) => void): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-batch-'));
  const file = path.join(folder, 'store.db');
  const db = openDriver(file, { busyTimeoutMs: 100 });
  try {
    migrate(db, file);
    const writer = createBatchWriter(db, { self, version: '0.0.0', path: file });
    work({ write: (ops) => writer({ now: 1, ops }), db, file });
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}
