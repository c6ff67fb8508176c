import { expect, test } from 'vitest';

import type { SessionId } from '../kernel/ids.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createMemoryHostedStore, type HostedSession } from './hosted-session.ts';
import { createHostedSessions } from './hosted-sessions.ts';

const id = (text: string) => text as SessionId;

async function hostedWith(ids: readonly string[], store = createMemoryHostedStore()) {
  const rest = [...ids];
  const cleaned: (readonly [string, string | undefined])[] = [];
  const clock = createFakeClock({ now: 100 });
  const hosted = await createHostedSessions<string>({
    store,
    ids: { session: () => id(rest.shift() ?? 'none-left') },
    clock,
    cleaner: {
      async clean(session, agent) {
        cleaned.push([session.id, agent]);
        return 'clean';
      },
    },
    logger: { log: () => undefined },
  });
  return { hosted, clock, cleaned, store };
}

const created: HostedSession = {
  id: id('ses_1'),
  agent: 'coder',
  runs: 'external',
  role: 'main',
  state: 'created',
  createdAt: 100,
  lastActiveAt: 100,
  messages: 0,
};

test('[C82] a session lives through its five states and is cleaned once', async () => {
  const { hosted, cleaned, clock } = await hostedWith(['ses_1']);
  const states: string[] = [];
  const note = () => states.push(hosted.get(id('ses_1'))?.state ?? 'none');
  expect(await hosted.create({ agent: 'coder', role: 'main' })).toEqual({ type: 'done', session: created });
  await hosted.beginSpawn(id('ses_1'));
  note();
  await hosted.attachAgent(id('ses_1'), 'process 7');
  note();
  await clock.advance(50);
  await hosted.recordHeartbeat(id('ses_1'));
  await hosted.incrementMessageCount(id('ses_1'));
  await hosted.markTerminating(id('ses_1'), 'the user left');
  note();
  await hosted.markTerminating(id('ses_1'), 'a second reason');
  await Promise.all([hosted.completeCleanup(id('ses_1')), hosted.completeCleanup(id('ses_1'))]);
  note();
  expect(states).toEqual(['spawning', 'active', 'terminating', 'cleaned']);
  expect(cleaned).toEqual([['ses_1', 'process 7']]);
  expect(hosted.get(id('ses_1'))).toEqual({
    ...created,
    state: 'cleaned',
    lastActiveAt: 150,
    messages: 1,
    reason: 'the user left',
  });
});

test('[C92] an agent that comes after the session was terminated is not attached', async () => {
  const { hosted } = await hostedWith(['ses_1']);
  await hosted.create({ agent: 'coder', role: 'main' });
  await hosted.beginSpawn(id('ses_1'));
  const terminated = hosted.markTerminating(id('ses_1'), 'stopped');
  const attached = hosted.attachAgent(id('ses_1'), 'late');
  await terminated;
  expect(await attached).toEqual({
    type: 'transition-error',
    state: 'terminating',
    event: 'attach',
    reason: 'the session is being terminated',
  });
  expect(hosted.agentOf(id('ses_1'))).toBeUndefined();
});

test('[C93] a role is given once among the living of one parent, and the holder is named', async () => {
  const { hosted } = await hostedWith(['ses_1', 'ses_2', 'ses_3']);
  await hosted.create({ agent: 'coder', role: 'main' });
  expect(await hosted.create({ agent: 'other', role: 'main' })).toEqual({
    type: 'role-taken',
    role: 'main',
    holder: 'ses_1',
  });
  expect(await hosted.create({ agent: 'other', role: 'main', parent: id('ses_1') })).toMatchObject({
    type: 'done',
  });
  await hosted.markTerminating(id('ses_1'), 'done');
  await hosted.completeCleanup(id('ses_1'));
  expect(await hosted.create({ agent: 'other', role: 'main' })).toMatchObject({ type: 'done' });
  expect(hosted.getByRole('main')?.id).toBe('ses_3');
  expect(hosted.list({ agent: 'other' }).map((session) => session.id)).toEqual(['ses_2', 'ses_3']);
  expect(hosted.list({ state: 'cleaned' }).map((session) => session.id)).toEqual(['ses_1']);
  expect([hosted.count(), hosted.count('created')]).toEqual([3, 2]);
});

test('[C93] an id that exists is generated again', async () => {
  const { hosted } = await hostedWith(['ses_1', 'ses_1', 'ses_2']);
  await hosted.create({ agent: 'coder', role: 'a' });
  expect(await hosted.create({ agent: 'coder', role: 'b' })).toMatchObject({ session: { id: 'ses_2' } });
});

test('a host that starts again knows what is left to clean', async () => {
  const { hosted, store } = await hostedWith(['ses_1']);
  await hosted.create({ agent: 'coder', role: 'main' });
  await hosted.markTerminating(id('ses_1'), 'stopped');
  const again = await hostedWith([], store);
  expect(again.hosted.list({ state: 'terminating' }).map((session) => session.id)).toEqual(['ses_1']);
  await again.hosted.completeCleanup(id('ses_1'));
  expect(again.cleaned).toEqual([['ses_1', undefined]]);
});

test('a missing session is reported as unknown', async () => {
  const { hosted } = await hostedWith([]);
  expect(await hosted.beginSpawn(id('ses_9'))).toEqual({ type: 'unknown-session', session: 'ses_9' });
});
