import { expect, test } from 'vitest';

import {
  createDurableHostedStore,
  createHostedSessions,
  isTransitionError,
  nextLifecycle,
  openStore,
  ownIdentity,
} from '../hosting.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { Store } from '../ports/store.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import type { HostedStore } from './hosted-session.ts';
import { createStoredHosting } from './stored-hosting.ts';

const workers = ['ses_1', 'ses_2', 'ses_3'].map((id) => id as SessionId);

function hostOn(store: HostedStore) {
  const rest = [...workers];
  return createHostedSessions<string>({
    store,
    ids: { session: () => rest.shift() ?? ('ses_none' as SessionId) },
    clock: createFakeClock({ now: 100 }),
    cleaner: { clean: async () => 'clean' },
    logger: { log: () => undefined },
  });
}

/** A host on this machine whose process has ended since. */
function deadHosting({ hosted }: Pick<Store, 'hosted'>): HostedStore {
  return createStoredHosting(hosted, {
    self: { ...ownIdentity(), pid: 99_999_999, startedAt: 'long ago' },
    isDead: () => false,
  });
}

test('[C150] a program’s hosted sessions outlive their host: the next one lists them by role, and a living host’s are left', async () => {
  await using folder = await temporaryFolder();
  const address = `sqlite:${folder.at('rondo.db')}`;
  await using store = await openStore(address);
  const dead = await hostOn(deadHosting(store));
  for (const [index, role] of ['writer', 'reviewer', 'writer'].entries())
    await dead.create({ agent: 'coder', role, ...(index === 2 && { parent: workers[0] }) });
  for (const id of workers) await dead.beginSpawn(id);
  await dead.markTerminating('ses_2' as SessionId, 'the program ended');

  await using reopened = await openStore(address);
  const next = await hostOn(createDurableHostedStore(reopened));
  const listed = (query: Parameters<typeof next.list>[0]) => next.list(query).map(({ id }) => id);
  expect([listed({}), listed({ role: 'writer' }), listed({ role: 'reviewer', state: 'terminating' })]).toEqual([
    ['ses_1', 'ses_2', 'ses_3'],
    ['ses_1', 'ses_3'],
    ['ses_2'],
  ]);
  expect([listed({ role: 'writer', agent: 'other' }), listed({ role: 'nobody' })]).toEqual([[], []]);
  await next.markTerminating('ses_1' as SessionId, 'left behind');
  expect((await hostOn(createDurableHostedStore(store))).list()).toHaveLength(2);
});

test('[C150] a program learns the next state of a session in its own host, or why there is none', () => {
  expect([nextLifecycle('created', 'spawn'), nextLifecycle('spawning', 'attach')]).toEqual(['spawning', 'active']);
  const refused = nextLifecycle('created', 'attach');
  expect([isTransitionError(refused), refused]).toEqual([
    true,
    {
      type: 'transition-error',
      state: 'created',
      event: 'attach',
      reason: expect.stringMatching(/\w/) as string,
    },
  ]);
});
