import { describe, expect, test } from 'vitest';

import type { Driver } from './driver.ts';
import { createInlineWriter } from './inline-writer.ts';
import type { BatchAnswer, WriteOp } from './writer-protocol.ts';

const appendTo = (session: string): WriteOp => [
  'append',
  session,
  1,
  0,
  [],
  null,
  null,
  null,
  false,
  null,
  null,
  null,
  false,
];
const batch = (...ops: readonly WriteOp[]) => ({ now: 0, ops });
const done: BatchAnswer = { answers: [1], positions: [1, 1] };

/** A writer whose clock and disk are ours: `takes` is how long the next commit lasts. */
function createBench() {
  const bench = { at: 1000, takes: 0.2, answer: done, commits: 0, isClosed: false, isLogLong: false };
  const writer = createInlineWriter({
    now: () => bench.at,
    open: () => ({
      db: { close: () => (bench.isClosed = true) } as unknown as Driver,
      isLogLong: () => bench.isLogLong,
      write() {
        bench.commits += 1;
        bench.at += bench.takes;
        return bench.answer;
      },
    }),
  });
  return { bench, writer };
}

describe('commits in line', () => {
  test('a session that writes alone is committed here, one operation after the other', () => {
    const { bench, writer } = createBench();
    const answers = [1, 2, 3].map(() => writer.write(batch(appendTo('a'))));
    expect({ answers, commits: bench.commits }).toEqual({ answers: [done, done, done], commits: 3 });
  });

  test('several operations at once, and sessions that take turns, share commits on the thread', () => {
    const { bench, writer } = createBench();
    expect(writer.write(batch(appendTo('a'), appendTo('b')))).toBeUndefined();
    writer.write(batch(appendTo('a')));
    expect(writer.write(batch(appendTo('b')))).toBeUndefined();
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    bench.at += 51;
    expect(writer.write(batch(appendTo('b')))).toEqual(done);
  });

  test('one session after the other is committed here: each has its run', () => {
    const { writer } = createBench();
    writer.threadCommitted({ hasCompany: true, ms: 0.2 });
    for (const session of ['a', 'a', 'a', 'b', 'b', 'b', 'c']) {
      expect(writer.write(batch(appendTo(session)))).toEqual(done);
    }
    expect(writer.write(batch(appendTo('d')))).toBeUndefined();
    expect(writer.write(batch(appendTo('c')))).toBeUndefined();
  });

  test('sessions that take turns and have nothing to share are committed here, until they have', () => {
    const { writer } = createBench();
    let session = 0;
    const takeTurns = (times: number) =>
      Array.from({ length: times }, () => {
        session += 1;
        return writer.write(batch(appendTo(`ses_${session}`))) !== undefined;
      });
    const inLine = Array.from({ length: 32 }, () => true);
    expect(takeTurns(34)).toEqual([true, ...inLine, false]);
    for (const hasCompany of [false, false]) writer.threadCommitted({ hasCompany, ms: 0.2 });
    expect(takeTurns(2)).toEqual([false, false]);
    writer.threadCommitted({ hasCompany: false, ms: 0.2 });
    expect(takeTurns(33)).toEqual([...inLine, false]);
    writer.threadCommitted({ hasCompany: false, ms: 0.2 });
    expect(takeTurns(1)).toEqual([true]);
    writer.threadCommitted({ hasCompany: true, ms: 0.2 });
    expect(takeTurns(1)).toEqual([false]);
  });

  test('a file that somebody else has locked is left to the thread, which waits', () => {
    const { bench, writer } = createBench();
    const failure = { code: 'SQLITE_BUSY', message: 'database is locked' };
    bench.answer = { answers: [{ type: 'failed', failure }], positions: null };
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
  });

  test('any other failure is the answer', () => {
    const { bench, writer } = createBench();
    const failure = { code: 'SQLITE_FULL', message: 'database or disk is full' };
    bench.answer = { answers: [{ type: 'failed', failure }], positions: null };
    expect(writer.write(batch(appendTo('a')))).toEqual(bench.answer);
  });

  test('a few slow commits, and the thread has them until they have worn off and it is quick', () => {
    const { bench, writer } = createBench();
    bench.takes = 40;
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
    bench.takes = 0.2;
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    writer.threadCommitted({ hasCompany: false, ms: 0.2 });
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    bench.at += 2001;
    writer.threadCommitted({ hasCompany: false, ms: 500 });
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    bench.at += 60_000;
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    writer.threadCommitted({ hasCompany: false, ms: 0.2 });
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
  });

  test('one very slow commit, and the thread has them for two seconds', () => {
    const { bench, writer } = createBench();
    bench.takes = 30_000;
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
    bench.takes = 0.2;
    const asked = () => {
      writer.threadCommitted({ hasCompany: false, ms: 0.2 });
      return writer.write(batch(appendTo('a')));
    };
    expect(asked()).toBeUndefined();
    bench.at += 1900;
    expect(asked()).toBeUndefined();
    bench.at += 101;
    expect(asked()).toEqual(done);
  });

  test('a hiccup of the disk now and then makes no slow disk', () => {
    const { bench, writer } = createBench();
    const answers = Array.from({ length: 10 }, () => {
      bench.takes = 20;
      const slow = writer.write(batch(appendTo('a')));
      bench.takes = 0.2;
      bench.at += 400;
      return [slow, writer.write(batch(appendTo('a')))];
    });
    expect(answers.flat()).toEqual(Array.from({ length: 20 }, () => done));
  });

  test('a log that readers keep from starting over is left to the thread, until it is short again', () => {
    const { bench, writer } = createBench();
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
    bench.isLogLong = true;
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    bench.isLogLong = false;
    expect(writer.write(batch(appendTo('a')))).toEqual(done);
  });

  test('job queues and upkeep are the thread’s, and after closing everything is', () => {
    const { bench, writer } = createBench();
    expect(writer.write(batch(['bury', 1, '', '']))).toBeUndefined();
    writer.write(batch(['renew']));
    writer.close();
    expect(writer.write(batch(appendTo('a')))).toBeUndefined();
    expect({ commits: bench.commits, isClosed: bench.isClosed }).toEqual({ commits: 1, isClosed: true });
  });
});
