import { expect, test } from 'vitest';

import type { FollowSink } from './follow-into.ts';
import { follow } from './follow.ts';
import type { Leaving } from './leaving.ts';
import type { Update } from '../update.ts';

const update = (from: number): Update => ({ type: 'gap', from, to: from });

/** A source that emits what the test gives it. */
function setUp(limit = 2, signal?: AbortSignal) {
  const over = Promise.withResolvers<void>();
  const source: { sink?: FollowSink; leaving?: Leaving; starts: number } = { starts: 0 };
  const reader = follow(
    (sink, leaving) => {
      Object.assign(source, { sink, leaving, starts: source.starts + 1 });
      return over.promise;
    },
    { limit, signal },
  );
  return { reader, source, over };
}

test('[P5] nothing starts before the first pull, and pulls are served in the order they came', async () => {
  const { reader, source } = setUp();
  expect(source.starts).toBe(0);
  const pulls = [reader.next(), reader.next()];
  source.sink?.tell(update(1));
  source.sink?.tell(update(2));
  expect(await Promise.all(pulls)).toEqual([1, 2].map((from) => ({ done: false, value: update(from) })));
  expect(source.starts).toBe(1);
  expect(reader[Symbol.asyncIterator]()).toBe(reader);
});

test('[P5] [C97] a reader with a full queue is behind until it drains enough, and ready once it is empty', async () => {
  const { reader, source } = setUp(2);
  const first = reader.next();
  const sink = source.sink as FollowSink;
  sink.tell(update(1));
  await first;
  const behind = [sink.isBehind];
  for (const from of [2, 3, 4]) {
    sink.tell(update(from));
    behind.push(sink.isBehind);
  }
  expect(behind).toEqual([false, false, true, true]);
  let isReady = false;
  void sink.ready().then(() => (isReady = true));
  for (const expected of [true, false, false]) {
    await reader.next();
    behind.push(sink.isBehind);
    expect(sink.isBehind).toBe(expected);
  }
  await Promise.resolve();
  expect(isReady).toBe(true);
  await sink.ready();
});

test('[P5] a failure reaches waiting pulls, and later ones after the updates before it', async () => {
  const { reader, source, over } = setUp();
  const first = reader.next();
  source.sink?.tell(update(1));
  source.sink?.tell(update(2));
  await first;
  over.reject(new Error('the store failed'));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(await reader.next()).toEqual({ done: false, value: update(2) });
  await expect(reader.next()).rejects.toThrow('the store failed');
  const waiting = setUp();
  const pulls = [waiting.reader.next(), waiting.reader.next()];
  waiting.over.reject(new Error('gone'));
  for (const pull of pulls) await expect(pull).rejects.toThrow('gone');
});

test('[P5] a source that ends ends the pulls that wait', async () => {
  const { reader, over } = setUp();
  const pulls = [reader.next(), reader.next()];
  over.resolve();
  const done = { done: true, value: undefined };
  expect([...(await Promise.all(pulls)), await reader.next()]).toEqual([done, done, done]);
});

test('[P5] a reader leaves by returning or by its signal, and wakes a source that waits for it', async () => {
  const { reader, source } = setUp(1);
  const first = reader.next();
  source.sink?.tell(update(1));
  source.sink?.tell(update(2));
  await first;
  let isReady = false;
  void source.sink?.ready().then(() => (isReady = true));
  expect(await reader.return?.()).toEqual({ done: true, value: undefined });
  expect([source.leaving?.hasLeft, isReady]).toEqual([true, true]);
  expect(await reader.next()).toEqual({ done: true, value: undefined });
  const abort = new AbortController();
  const signalled = setUp(1, abort.signal);
  void signalled.reader.next();
  expect(signalled.source.leaving?.hasLeft).toBe(false);
  abort.abort();
  expect(signalled.source.leaving?.hasLeft).toBe(true);
  const early = setUp(1, abort.signal);
  void early.reader.next();
  expect(early.source.leaving?.hasLeft).toBe(true);
});
