// The operations of a transaction, on a database that several processes write to.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { directoryEntry, questionEntry, record, request } from '../../testing/contracts/journal-samples.ts';
import { claimable, filing, newJob, workerRow } from '../../testing/contracts/job-queue-samples.ts';
import type { AppendRequest, NewRecord } from '../../ports/journal.ts';
import { appendOpOf } from './append-op.ts';
import { openDriver } from './driver.ts';
import { migrate } from './migrate.ts';
import { createBatchWriter } from './write-batch.ts';
import type { WriteOp } from './writer-protocol.ts';

function setUp() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'rondo-ops-'));
  const file = path.join(folder, 'store.db');
  const connect = () => {
    const connection = openDriver(file, { busyTimeoutMs: 100 });
    onTestFinished(() => connection.close());
    return connection;
  };
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const db = connect();
  migrate(db, file);
  const time = { now: 1 };
  /** A process that writes: what its operation was answered. */
  const process = (id: string, version = '1.0.0') => {
    const self = { id, pid: 1, startedAt: '1', bootId: 'b', host: 'h' };
    const write = createBatchWriter(connect(), { self, version, path: file });
    return (op: WriteOp) => write({ now: time.now, ops: [op] }).answers[0];
  };
  const rows = (sql: string) => db.all<Record<string, unknown>>(sql);
  return { db, time, process, rows };
}

const [s1, s2, s3] = ['ses_1', 'ses_2', 'ses_3'] as const;

function append(session: string, expected: number, name: string, more: Partial<AppendRequest> = {}): WriteOp {
  return appendOpOf(request(expected, [record(name)], { session: session as SessionId, ...more }));
}

test('[O1][P4] an owner keeps its session until it is found gone; an owner that renewed since keeps it', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  expect(a(append(s1, 0, 'x'))).toBe(1);
  expect(a(append(s2, 0, 'x'))).toBe(1);
  expect(b(['claim', s1, null])).toMatchObject({ type: 'held', owner: { id: 'a' } });
  expect(a(['renew'])).toBe(1);
  expect(b(['claim', s1, ['a', 0, false]])).toMatchObject({ type: 'held' });
  expect(b(['claim', s1, ['other', 1, false]])).toMatchObject({ type: 'held' });
  expect(b(['claim', s1, ['a', 1, false]])).toEqual({ type: 'claimed', epoch: 2, isUnclean: true, fences: 1 });
  // All that it owns is lost with its lease.
  expect([a(['renew']), a(['claim', s3, null])]).toEqual(['lost', 'lost']);
  expect(b(['claim', s2, null])).toEqual({ type: 'claimed', epoch: 2, isUnclean: true, fences: 1 });
  expect(rows('SELECT id, taken FROM processes ORDER BY id')).toEqual([
    { id: 'a', taken: 1 },
    { id: 'b', taken: 0 },
  ]);
});

test("[O5] a dead owner's row is deleted with the last session taken over from it", () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  a(append(s1, 0, 'x'));
  a(append(s2, 0, 'x'));
  b(['claim', s1, ['a', 0, true]]);
  expect(rows('SELECT id, taken FROM processes ORDER BY id')).toEqual([
    { id: 'a', taken: 1 },
    { id: 'b', taken: 0 },
  ]);
  b(['claim', s2, ['a', 0, true]]);
  expect(rows('SELECT id FROM processes')).toEqual([{ id: 'b' }]);
});

test("[O3] a release needs the claim's epoch and returns whether a hand-over was requested", () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  a(append(s1, 0, 'x'));
  expect(b(['release', s1, 1, false])).toBe('not-owned');
  expect(a(['release', s1, 2, false])).toBe('not-owned');
  expect(a(['release', s2, 1, false])).toBe('not-owned');
  expect(a(['release', s1, 1, true])).toBe('released');
  expect(a(['release', s1, 1, false])).toBe('not-owned');
  expect(rows('SELECT owner, unclean, fences, least_seq FROM sessions')).toEqual([
    { owner: null, unclean: 1, fences: 0, least_seq: 1 },
  ]);
  expect(b(['claim', s1, null])).toEqual({ type: 'claimed', epoch: 2, isUnclean: true, fences: 0 });
  expect(b(['cleaned', s1, 1])).toBeNull();
  expect(rows('SELECT unclean FROM sessions')).toEqual([{ unclean: 1 }]);
  expect(b(['cleaned', s1, 2])).toBeNull();
  expect(rows('SELECT unclean FROM sessions')).toEqual([{ unclean: 0 }]);
  expect([b(['hand-over', s1, 5]), a(['hand-over', s3, 5])]).toEqual([false, false]);
  expect(a(['hand-over', s1, 5])).toBe(true);
  expect(a(['hand-over', s1, 9])).toBe(true);
  expect(rows('SELECT within_ms FROM handovers')).toEqual([{ within_ms: 9 }]);
  expect(b(['release', s1, 2, false])).toBe('handed-over');
  expect([rows('SELECT * FROM handovers'), a(['hand-over', s1, 5])]).toEqual([[], false]);
});

test('[O4] a process that leaves frees what it owns, unclean and fenced, and its row goes', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  expect(a(['leave'])).toBeNull();
  a(append(s1, 0, 'x'));
  b(append(s2, 0, 'x'));
  b(['hand-over', s1, null]);
  a(['leave']);
  expect(rows('SELECT id, owner IS NULL AS free, epoch, unclean, fences FROM sessions ORDER BY id')).toEqual([
    { id: s1, free: 1, epoch: 2, unclean: 1, fences: 1 },
    { id: s2, free: 0, epoch: 1, unclean: 0, fences: 0 },
  ]);
  expect([rows('SELECT id FROM processes'), rows('SELECT * FROM handovers')]).toEqual([[{ id: 'b' }], []]);
  expect(a(append(s1, 1, 'late'))).toEqual({ type: 'fenced', epoch: 2 });
});

test('[O12] a process that leaves frees its jobs, and those who listen to the queue are woken', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  a(append(s1, 0, 'x'));
  const before = () => rows('SELECT number FROM queue_changes')[0]?.['number'] as number;
  b(['queue', ['letGo', 'job_none'] as never]);
  const seen = before();
  a(['leave']);
  expect(before()).toBe(seen);
});

test('[O12] a job of a process that leaves is free, and those who listen to the queue look again', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  a(['queue', ['enrol', [workerRow('w')]]]);
  a(['queue', ['file', [[newJob('1', 'w')], filing]]]);
  expect(a(['queue', ['claim', [claimable(), []]]])).toMatchObject({ job: { id: 'job_1', owner: 'a' } });
  const news = () => rows('SELECT number FROM queue_changes')[0]?.['number'] as number;
  const before = news();
  a(['leave']);
  expect(news()).toBe(before + 1);
  expect(b(['queue', ['claim', [claimable(), []]]])).toMatchObject({
    job: { id: 'job_1', owner: 'b', attempt: 2, lostAttempts: 0 },
  });
});

test('[O5] the row of a process that owns nothing is forgotten, at the count that was seen', () => {
  const { process, rows } = setUp();
  const [a, b, c] = [process('a'), process('b'), process('c')];
  a(append(s1, 0, 'x'));
  b(append(s2, 0, 'x'));
  b(['release', s2, 1, false]);
  c(['forget-process', ['a', 0, true]]);
  c(['forget-process', ['b', 7, true]]);
  expect(rows('SELECT id FROM processes ORDER BY id')).toEqual([{ id: 'a' }, { id: 'b' }]);
  c(['forget-process', ['b', 0, true]]);
  expect(rows('SELECT id FROM processes')).toEqual([{ id: 'a' }]);
});

test('[P4] a process that lost its lease creates no session', () => {
  const { process } = setUp();
  const [a, b] = [process('a'), process('b')];
  a(append(s1, 0, 'x'));
  b(['claim', s1, ['a', 0, false]]);
  expect(a(append(s2, 0, 'x'))).toEqual({ type: 'fenced', epoch: 0 });
});

test('[O13] the directory follows each append, also where another process had shown something else', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  const entry = (updatedAt: number, more: object = {}, inFlight = false) => ({
    projection: { entry: directoryEntry(s1 as SessionId, { updatedAt, ...more }), inFlight },
  });
  const listed = () => rows('SELECT updated_at, state, agent, title, in_flight FROM directory');
  const base = { state: 'idle', agent: 'default', title: 'a title', in_flight: 0 };
  a(append(s1, 0, 'x', entry(1)));
  expect(listed()).toEqual([{ ...base, updated_at: 1 }]);
  a(append(s1, 1, 'x', entry(2)));
  expect(listed()).toEqual([{ ...base, updated_at: 2 }]);
  a(append(s1, 2, 'x', entry(3, { state: 'turn' }, true)));
  expect(listed()).toEqual([{ ...base, updated_at: 3, state: 'turn', in_flight: 1 }]);
  a(append(s1, 3, 'x', entry(4, { state: 'turn', title: 'Other', agent: 'b' }, true)));
  expect(listed()).toEqual([{ updated_at: 4, state: 'turn', agent: 'b', title: 'other', in_flight: 1 }]);
  // The row is gone behind its back, and comes back whole.
  b(['show', s1, 4, [null, null, null, null]]);
  expect(listed()).toEqual([]);
  a(append(s1, 4, 'x', entry(5, { state: 'turn', title: 'Other', agent: 'b' }, true)));
  expect(listed()).toEqual([{ updated_at: 5, state: 'turn', agent: 'b', title: 'other', in_flight: 1 }]);
});

test('[O13] showing a session replaces its entry and its questions, unless it was written to since', () => {
  const { process, rows } = setUp();
  const a = process('a');
  const session = s1 as SessionId;
  a(append(s1, 0, 'x', { projection: { questionsOpened: [questionEntry(session, 'q_1', 5)], due: 70 as never } }));
  const entry = [9, '{}', 'idle', 'a', null, 't', null, 0] as const;
  const projection = [entry, [['q_2', 6, 'approval', '{}']], null, [null]] as const;
  expect(a(['show', s1, 2, projection])).toBe('changed');
  expect(a(['show', s2, 0, projection])).toBe('changed');
  expect(rows('SELECT id FROM questions')).toEqual([{ id: 'q_1' }]);
  expect(rows('SELECT due FROM sessions')).toEqual([{ due: 70 }]);
  expect(a(['show', s1, 1, projection])).toBe('done');
  expect(rows('SELECT id, opened_at FROM questions')).toEqual([{ id: 'q_2', opened_at: 6 }]);
  expect(rows('SELECT updated_at, title FROM directory')).toEqual([{ updated_at: 9, title: 't' }]);
  expect(rows('SELECT due FROM sessions')).toEqual([{ due: null }]);
});

test('[O11] a removal takes everything of a session and leaves a mark, so that positions keep rising', () => {
  const { process, rows } = setUp();
  const [a, b] = [process('a'), process('b')];
  const session = s1 as SessionId;
  const projection = {
    entry: directoryEntry(session),
    inFlight: false,
    questionsOpened: [questionEntry(session, 'q_1', 5)],
  };
  const keyed: NewRecord = { ...record('x'), key: { key: 'k', digest: 'd' } };
  a(appendOpOf(request(0, [keyed], { session, projection, creation: { key: 'c', digest: 'd' } })));
  a(['snapshot', s1, 1, 1, 1, '{}']);
  a(['host', s1, '{}']);
  b(append(s2, 0, 'x'));
  b(['hand-over', s1, null]);
  const letter = b(['put', s1, 'key', '{}']) as number;
  const remove = (epoch: number, seq: number): WriteOp => ['remove', s1, epoch, seq, []];
  expect(a(remove(1, 1))).toBe('changed');
  b(['bury', letter, '{}', null]);
  expect([b(remove(1, 1)), a(remove(2, 1)), a(remove(1, 2))]).toEqual(['changed', 'changed', 'changed']);
  expect(a(remove(1, 1))).toBe('done');
  const counts = ['records', 'keys', 'directory', 'questions', 'snapshots', 'handovers']
    .concat(['inbox', 'creations', 'hosted', 'fork_references', 'sessions'])
    .map((table) => [table, rows(`SELECT count(*) AS n FROM ${table}`)[0]?.['n']]);
  expect(Object.fromEntries(counts)).toEqual({
    records: 2,
    keys: 0,
    directory: 0,
    questions: 0,
    snapshots: 0,
    handovers: 0,
    inbox: 0,
    creations: 0,
    hosted: 0,
    fork_references: 0,
    sessions: 1,
  });
  expect(rows('SELECT position, session FROM records ORDER BY position')).toEqual([
    { position: 2, session: 2 },
    { position: 3, session: 0 },
  ]);
  expect(a(append(s1, 0, 'again'))).toBe(1);
});

test('[O11] keeps a session that a fork refers to, unless the fork is removed too', () => {
  const { process, db } = setUp();
  const a = process('a');
  a(append(s1, 0, 'x'));
  db.run('INSERT INTO fork_references (origin, session) VALUES (?, ?)', s1, s2);
  expect(a(['remove', s1, 1, 1, [s3]])).toBe('changed');
  expect(a(['remove', s1, 1, 1, [s2]])).toBe('done');
});

test('[P1] records from an event on are set aside with the reason, and the session continues before them', () => {
  const { process, rows, time } = setUp();
  const [a, b] = [process('a'), process('b')];
  for (const seq of [0, 1, 2]) a(append(s1, seq, `x${seq}`));
  a(['snapshot', s1, 1, 2, 1, 'kept']);
  a(['damage', s1, 3, 'bad']);
  expect(a(append(s1, 3, 'refused'))).toMatchObject({ type: 'damaged', damage: { seq: 3, reason: 'bad' } });
  const aside = (epoch: number, from: number): WriteOp => ['set-aside', s1, epoch, 3, from, 'bad'];
  expect([b(aside(1, 3)), a(aside(2, 3))]).toEqual(['changed', 'changed']);
  time.now = 77;
  expect(a(aside(1, 3))).toBe('done');
  expect(rows('SELECT session, first, last, reason, at FROM set_aside')).toEqual([
    { session: s1, first: 3, last: 3, reason: 'bad', at: 77 },
  ]);
  expect(rows('SELECT body FROM snapshots')).toEqual([{ body: 'kept' }]);
  expect(rows('SELECT least_seq, damage_seq, damage_reason FROM sessions')).toEqual([
    { least_seq: 2, damage_seq: null, damage_reason: null },
  ]);
  expect(a(['set-aside', s1, 1, 2, 2, 'bad'])).toBe('done');
  expect(rows('SELECT body FROM snapshots')).toEqual([]);
  expect(a(append(s1, 1, 'goes on'))).toBe(2);
});

test('[P4] a snapshot counts only under its owner’s epoch and up to what is written', () => {
  const { process, rows } = setUp();
  const a = process('a');
  a(append(s1, 0, 'x'));
  a(['snapshot', s1, 2, 1, 1, 'of another epoch']);
  a(['snapshot', s1, 1, 2, 1, 'of what is to come']);
  a(['snapshot', s2, 1, 0, 1, 'of none']);
  expect(rows('SELECT * FROM snapshots')).toEqual([]);
  a(['snapshot', s1, 1, 1, 4, 'sound']);
  expect(rows('SELECT session, seq, version, body FROM snapshots')).toEqual([
    { session: 1, seq: 1, version: 4, body: 'sound' },
  ]);
  expect(rows('SELECT least_seq FROM sessions')).toEqual([{ least_seq: 1 }]);
});

test('[O8] an append settles its letters; old answers go when enough newer letters came', () => {
  const { process, rows, time } = setUp();
  const a = process('a');
  const put = () => a(['put', s1, 'k', '{}']) as number;
  const [one, two] = [put(), put()];
  time.now = 10;
  a(append(s1, 0, 'x', { settles: [{ letter: one, answer: 'yes' }] as never }));
  a(['bury', two, 'no', 'unreadable']);
  a(['bury', one, 'late', 'late']);
  const inbox = () => rows('SELECT id, answer, settled_at, buried FROM inbox WHERE answer IS NOT NULL');
  expect(inbox()).toEqual([
    { id: 1, answer: 'yes', settled_at: 10, buried: null },
    { id: 2, answer: 'no', settled_at: 10, buried: 'unreadable' },
  ]);
  for (let count = 0; count < 998; count += 1) put();
  const hour = 3_600_000;
  const settle = (at: number, seq: number) => {
    time.now = at;
    const letter = put();
    a(append(s1, seq, 'x', { settles: [{ letter, answer: 'yes' }] as never }));
    return inbox().map(({ id }) => id);
  };
  // 1,001 letters: the first answer may go, once it is older than an hour.
  expect(settle(10 + hour, 1)).toEqual([1, 2, 1001]);
  expect(settle(11 + hour, 2)).toEqual([2, 1001, 1002]);
  // Of those that are old enough, the newest thousand stay.
  for (let count = 0; count < 997; count += 1) put();
  expect(settle(20 + 2 * hour, 3)).toEqual([2, 1001, 1002, 2000]);
  expect(settle(21 + 2 * hour, 4)).toEqual([2, 1002, 2000, 2001]);
});

test('[P11] the version that writes is noted where it changes, with the position from which on it wrote', () => {
  const { process, rows, time } = setUp();
  const written = () => rows('SELECT position, version, at FROM writers');
  process('a')(append(s1, 0, 'x'));
  process('b')(append(s2, 0, 'x'));
  expect(written()).toEqual([{ position: 1, version: '1.0.0', at: 1 }]);
  time.now = 5;
  const c = process('c', '1.1.0');
  c(append(s3, 0, 'x'));
  c(append(s3, 1, 'x'));
  expect(written()).toEqual([
    { position: 1, version: '1.0.0', at: 1 },
    { position: 3, version: '1.1.0', at: 5 },
  ]);
});

test('[C124] a text is indexed for the record it is of, once, and only as long as the record is there', () => {
  const { process, rows } = setUp();
  const a = process('a');
  a(append(s1, 0, 'x'));
  expect(
    a([
      'index',
      5,
      [
        [1, 'first'],
        [9, 'of nothing'],
      ],
    ]),
  ).toBe('done');
  a(['index', 3, [[1, 'second']]]);
  const hits = (word: string) => rows(`SELECT rowid FROM search WHERE search MATCH '${word}'`);
  expect([hits('first'), hits('second'), hits('nothing')]).toEqual([[], [{ rowid: 1 }], []]);
  expect(rows("SELECT value FROM facts WHERE name = 'searched_to'")).toEqual([{ value: 5 }]);
  a(['remove', s1, 1, 1, []]);
  expect(rows('SELECT rowid FROM search')).toEqual([]);
});

test('[O10] an append refers to each blob it names, and is refused where one is missing', () => {
  const { process, rows } = setUp();
  const a = process('a');
  const hash = 'ab'.repeat(32);
  const naming: NewRecord = {
    ...record('x'),
    events: [JSON.stringify({ type: 'custom', name: 'x', data: { blob: hash, length: 9, preview: '' } })],
  };
  const appending = (lost: readonly string[]) =>
    a(appendOpOf(request(0, [naming], { session: s1 as SessionId, lost: lost as never })));
  expect(appending([])).toEqual({ type: 'blob-missing', hashes: [hash] });
  expect(appending([hash])).toBe(1);
  expect(rows('SELECT hash, session FROM blob_references')).toEqual([{ hash, session: 1 }]);
});
