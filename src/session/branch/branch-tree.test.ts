import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { branchTreeOf } from './branch-tree.ts';

test('[C119] the tree of a session begins at its first origin and lists forks and returns in the order of their events', async () => {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const root = await rondo.sessions.create({ title: 'root' });
  await root.chat('say one');
  const { seq: one } = await root.status();
  await root.chat('say two');
  const { seq: two } = await root.status();
  const late = await root.fork({ at: two, title: 'late' });
  const early = await root.fork({ at: one, title: 'early' });
  const child = await early.fork({ title: 'child' });
  await root.rewind({ to: one });
  const { events } = await root.events({ after: two });
  const rewound = events.find(({ event }) => event.type === 'rewound');
  const tree = {
    session: root.id,
    title: 'root',
    state: 'idle',
    events: events.at(-1)?.seq,
    branches: [
      {
        type: 'fork',
        at: one,
        node: {
          session: early.id,
          title: 'early',
          state: 'idle',
          events: 1,
          branches: [
            {
              type: 'fork',
              at: 1,
              node: { session: child.id, title: 'child', state: 'idle', events: 1, branches: [] },
            },
          ],
        },
      },
      {
        type: 'fork',
        at: two,
        node: { session: late.id, title: 'late', state: 'idle', events: 1, branches: [] },
      },
      { type: 'rewound', at: rewound?.seq, to: one },
    ],
  };
  expect(await branchTreeOf(store.journal, child.id)).toEqual(tree);
  expect(await branchTreeOf(store.journal, root.id)).toEqual(tree);
});
