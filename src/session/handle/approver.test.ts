import { expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import type { Store } from '../../ports/store.ts';
import { createRondo } from '../../rondo.ts';
import type { Tool } from '../../ports/tool.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

const change = testTool('change', () => 'changed', { access: 'write', repeat: 'never', order: 'exclusive' });

test("[C41] a turn doesn't need input while an approving program may still answer", async () => {
  await using rondo = await createRondo(testingAgent({ tools: [change], approve: 'all' }));
  const session = await rondo.sessions.create();
  expect(await session.chat('call change {}\nsay done')).toMatchObject({ outcome: 'completed', text: 'done' });
  expect(await session.run([{ type: 'chat', text: 'call change {}\nsay again' }])).toMatchObject({
    outcome: 'completed',
  });
});

test('[P9] waiters learn of a question that an approver leaves open', async () => {
  const asked: string[] = [];
  await using rondo = await createRondo(
    testingAgent({
      tools: [change],
      approve: async ({ id }) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        asked.push(id);
        return undefined;
      },
    }),
  );
  const session = await rondo.sessions.create();
  const reply = await session.chat('call change {}\nsay done');
  expect(reply).toMatchObject({ outcome: 'needs-input' });
  expect(asked).toEqual(reply.questions.map(({ id }) => id));
});

test('records the answerer that the program names', async () => {
  const ada = { type: 'person', name: 'ada' } as const;
  await using rondo = await createRondo(testingAgent({ tools: [change], approve: 'all', approvesAs: ada }));
  const session = await rondo.sessions.create();
  await session.chat('call change {}\nsay done');
  const { events } = await session.events({ after: 0 });
  expect(events.filter(({ event }) => event.type === 'question-answered').map(({ by }) => by)).toEqual([ada]);
});

test('the first input of a session may be a task: its facts are those of its folder', async () => {
  const seen: string[] = [];
  const look: Tool = {
    ...change,
    describe(args, context) {
      seen.push(context.cwd);
      return change.describe(args, context);
    },
  };
  await using rondo = await createRondo(testingAgent({ tools: [look], approve: 'all' }));
  const session = await rondo.sessions.create({ cwd: '/somewhere' });
  await session.run([{ type: 'task', command: 'change' }]);
  expect(seen).toEqual(['/somewhere']);
});

test('an approver that answers at once on a resumed session is waited for, though the answer is being written', async () => {
  const store = createMemoryStore();
  const first = await createRondo(testingAgent({ store, tools: [change] }));
  const session = await first.sessions.create();
  expect((await session.chat('call change {}\nsay finished')).outcome).toBe('needs-input');
  await first.close();
  await using second = await createRondo(
    testingAgent({ store: slowly(store.another()), tools: [change], approve: 'all' }),
  );
  const resumed = await second.sessions.open(session.id);
  expect(await resumed.wait()).toMatchObject({ outcome: 'completed', text: 'finished' });
});

/** A store with slow appends, as on a real disk. */
function slowly(store: Store): Store {
  const append: Store['journal']['append'] = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return store.journal.append(request);
  };
  return { ...store, journal: { ...store.journal, append } };
}
