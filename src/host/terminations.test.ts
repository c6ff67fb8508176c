import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { createTerminations } from './terminations.ts';

const session = 'ses_1' as SessionId;
const never = () => new Promise<never>(() => undefined);

/** A world in which a session is closed and a process runs for it; a host that stops answering at a step. */
function world() {
  const store = createMemoryStore();
  const done: string[] = [];
  let isClosed = false;
  function host(diesAt?: 'saved' | 'closed' | 'taken down') {
    const { hosted } = store.another();
    const dies = (at: typeof diesAt) => (diesAt === at ? never() : Promise.resolve());
    const terminations = createTerminations<string>({
      rows: {
        load: () => hosted.load(),
        async save(id, body) {
          await hosted.save(id, body);
          if (body !== undefined) await dies('saved');
        },
      },
      async takeDown() {
        done.push('taken down');
        await dies('taken down');
      },
      isClosed: (answer) => answer === 'closed',
      onProblem: (message) => void done.push(message),
    });
    const close = async () => {
      done.push(isClosed ? 'closed again' : 'closed');
      isClosed = true;
      await dies('closed');
      return 'closed';
    };
    return { terminations, close, end: () => terminations.end(session, 'enough', close) };
  }
  return { host, done, rows: () => store.hosted.load() };
}

test.each([
  ['saved', ['closed', 'taken down']],
  ['closed', ['closed', 'closed again', 'taken down']],
  ['taken down', ['closed', 'taken down', 'closed again', 'taken down']],
] as const)(
  '[C91] a host that is killed once it has %s leaves the rest to the next one',
  async (diesAt, order) => {
    const { host, done, rows } = world();
    void host(diesAt).end();
    await new Promise((resolve) => setImmediate(resolve));
    const next = host();
    expect(await next.terminations.finishLeftovers(next.close)).toEqual([session]);
    expect(done).toEqual(order);
    expect(await rows()).toEqual([]);
    expect(await next.terminations.finishLeftovers(next.close)).toEqual([]);
  },
);

test('[C91] ending is told as soon as the session is closed, and is under way until all is down', async () => {
  const { host, done, rows } = world();
  const { terminations, end } = host();
  expect([await end(), terminations.isUnderWay(session)]).toEqual(['closed', true]);
  await terminations.settled();
  expect([terminations.isUnderWay(session), done, await rows()]).toEqual([false, ['closed', 'taken down'], []]);
});

test('a session that cannot be closed is left alone', async () => {
  const { host, done, rows } = world();
  const { terminations } = host();
  expect(await terminations.end(session, 'enough', () => Promise.resolve('refused'))).toBe('refused');
  expect([done, await rows()]).toEqual([[], []]);
});

test('what could not be taken down is tried again by the next host', async () => {
  const { hosted } = createMemoryStore();
  const problems: string[] = [];
  let fails = true;
  const make = () =>
    createTerminations<string>({
      rows: hosted,
      takeDown: () => (fails ? Promise.reject(new Error('busy')) : Promise.resolve()),
      isClosed: () => true,
      onProblem: (message) => void problems.push(message),
    });
  const first = make();
  await first.end(session, 'enough', () => Promise.resolve('closed'));
  await first.settled();
  expect([problems, (await hosted.load()).length]).toEqual([['taking down session ses_1 failed'], 1]);
  fails = false;
  await make().finishLeftovers(() => Promise.resolve());
  expect(await hosted.load()).toEqual([]);
});
