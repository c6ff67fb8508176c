import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { newState, type State } from '../kernel/state.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createSessionHost } from './session-host.ts';
import { createStoredHosting } from './stored-hosting.ts';

const session = 'ses_1' as SessionId;
const never = () => new Promise<never>(() => undefined);
const steps = ['marked', 'closed', 'processes ended', 'worktree left', 'released'] as const;
type Step = (typeof steps)[number];

/** A store and a log of actions, with hosts that stop answering after a step or fail at one. */
function world() {
  const store = createMemoryStore();
  const done: string[] = [];
  const dead = new Set<string>();
  let isClosed = false;
  async function host(
    name: string,
    {
      diesAt,
      failsAt,
      refuses,
    }: { readonly diesAt?: Step; readonly failsAt?: Step; readonly refuses?: true } = {},
  ) {
    const { hosted } = store.another();
    const at = async (step: Step) => {
      if (failsAt === step) throw new Error('no');
      if (step !== 'marked') done.push(step);
      if (diesAt === step) await never();
    };
    const clock = createFakeClock({ now: 100 });
    const made = await createSessionHost({
      store: createStoredHosting(
        {
          load: () => hosted.load(),
          async save(id, body) {
            await hosted.save(id, body);
            if (body?.includes('"terminating"') === true) await at('marked');
          },
        },
        { self: name, isDead: (other) => dead.has(other) },
      ),
      ids: { session: () => session },
      clock,
      logger: { log: (level, message) => void (level === 'error' && done.push(message)) },
      steps: {
        async stopIntake() {
          if (!isClosed) await at('closed');
          isClosed = true;
        },
        endProcesses: () => at('processes ended'),
        leaveWorktree: () => at('worktree left'),
        release: () => at('released'),
      },
    });
    const close = async () => {
      if (refuses === true) return 'refused';
      isClosed = true;
      await at('closed');
      return 'closed';
    };
    const stop = () =>
      made.stop(
        { id: session, agent: 'coder' },
        { reason: 'enough', close, isClosed: (answer) => answer === 'closed' },
      );
    return { ...made, clock, stop };
  }
  const rows = async () =>
    (await store.hosted.load()).map(({ body }) => (JSON.parse(body) as { readonly state: string }).state);
  return { host, done, dead, rows };
}

const stateOf = (runs: 'model' | 'external'): State => ({ ...newState(session), agent: { name: 'coder', runs } });
const recorded = (event: Event): Recorded => ({ seq: 1, at: 1, by: { type: 'person', name: 'me' }, event });
const prompted = recorded({
  type: 'prompt-received',
  request: { type: 'chat', text: 'hello' },
  delivery: 'queue',
});
const settled = () => new Promise((resolve) => setImmediate(resolve));

test.each(steps)('[C91] a host killed after it has %s leaves the rest to the next one', async (diesAt) => {
  const { host, done, dead, rows } = world();
  const first = await host('first', { diesAt });
  void first.stop();
  await settled();
  expect(await rows()).toEqual(['terminating']);
  dead.add('first');
  const before = [...done];
  const next = await host('next');
  expect(await next.finishLeftovers()).toEqual([session]);
  const rest = ['processes ended', 'worktree left', 'released'];
  expect(done).toEqual([...before, ...(diesAt === 'marked' ? ['closed'] : []), ...rest]);
  expect([await rows(), next.get(session)?.state]).toEqual([[], 'cleaned']);
  expect(await (await host('third')).finishLeftovers()).toEqual([]);
});

test('[C91] ending is reported as soon as the session is closed, and is terminating until all is down', async () => {
  const { host, done, rows } = world();
  const { stop, get, settled: down } = await host('a');
  expect([await stop(), get(session)?.state]).toEqual(['closed', 'terminating']);
  await down();
  expect([get(session)?.state, get(session)?.reason, done, await rows()]).toEqual([
    'cleaned',
    'enough',
    ['closed', 'processes ended', 'worktree left', 'released'],
    [],
  ]);
});

test('[C91] a failed clean-up step is reported, the others still run, and the next host retries', async () => {
  const { host, done, dead, rows } = world();
  const first = await host('first', { failsAt: 'worktree left' });
  await first.stop();
  await first.settled();
  expect([first.get(session)?.state, await rows()]).toEqual(['terminating', ['terminating']]);
  expect(done).toEqual([
    'closed',
    'processes ended',
    'releasing the worktree of session ses_1 failed',
    'released',
  ]);
  dead.add('first');
  await (await host('next')).finishLeftovers();
  expect(await rows()).toEqual([]);
});

test('a session that cannot be closed is left alone', async () => {
  const { host, done, rows } = world();
  const { stop, get } = await host('a', { refuses: true });
  expect(await stop()).toBe('refused');
  expect([done, await rows(), get(session)]).toEqual([[], [], undefined]);
});

test('[C82] [C87] a session that a model drives is active from its first event, and what comes is counted', async () => {
  const { host, rows } = world();
  const { saw, get, clock } = await host('a');
  saw(session, prompted, stateOf('model'));
  await settled();
  await clock.advance(50);
  saw(session, prompted, stateOf('model'));
  expect(get(session)).toEqual({
    id: session,
    agent: 'coder',
    runs: 'model',
    role: session,
    state: 'active',
    createdAt: 100,
    lastActiveAt: 150,
    messages: 1,
  });
  expect(await rows()).toEqual([]);
});

test('[C91] its host cleans up a session, whichever client closed it', async () => {
  const { host, done, rows } = world();
  const { saw, get, settled: down } = await host('a');
  saw(session, prompted, stateOf('model'));
  await settled();
  saw(session, recorded({ type: 'session-closed', reason: 'bye' }), stateOf('model'));
  await down();
  expect([get(session)?.state, get(session)?.reason, await rows()]).toEqual(['cleaned', 'bye', []]);
  expect(done).toEqual(['closed', 'processes ended', 'worktree left', 'released']);
});

test('[C82] an agent that is a process: spawning while it comes up, created again where it does not, active with it, and again after it was gone', async () => {
  const { host, rows } = world();
  const { saw, bringUp, agentGone, get } = await host('a');
  saw(session, prompted, stateOf('external'));
  const states = [get(session)?.state];
  const ended: string[] = [];
  const spawn = async () => {
    states.push(get(session)?.state);
    return { end: async () => void ended.push('ended') };
  };
  expect(await bringUp(session, 'coder', () => Promise.reject(new Error('no such command')))).toBe('failed');
  states.push(get(session)?.state);
  expect(await bringUp(session, 'coder', spawn)).toBe('up');
  states.push(get(session)?.state);
  agentGone(session);
  expect(await bringUp(session, 'coder', spawn)).toBe('up');
  expect([states, ended, await rows()]).toEqual([['created', 'created', 'spawning', 'active', 'active'], [], []]);
});

test('[C92] an agent that comes up while its session is being ended is ended and not attached', async () => {
  const { host, rows } = world();
  const { saw, bringUp, stop, get, settled: down } = await host('a');
  saw(session, prompted, stateOf('external'));
  const ended: string[] = [];
  const up = bringUp(session, 'coder', async (signal) => {
    await stop();
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', resolve);
    });
    return { end: async () => void ended.push('ended') };
  });
  expect(await up).toBe('ended');
  await down();
  expect([ended, get(session)?.state, await rows()]).toEqual([['ended'], 'cleaned', []]);
  expect(await bringUp(session, 'coder', () => Promise.reject(new Error('not asked for')))).toBe('ended');
});
