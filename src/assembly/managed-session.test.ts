import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import type { Rule } from '../kernel/rule.ts';
import { createTestingModel } from '../models/testing-model.ts';
import { createRondo, type RondoOptions } from '../rondo.ts';
import { testTool } from '../testing/test-tool.ts';

const rules: readonly Rule[] = [
  { verdict: 'deny', tool: 'push', origin: 'managed' },
  { verdict: 'ask', tool: 'touch', origin: 'managed' },
];

function open(ran: string[], more: Partial<RondoOptions> = {}) {
  return createRondo({
    store: createMemoryStore(),
    agents: { testing: { model: 'testing', rules: [{ verdict: 'allow', tool: '*', origin: 'agent' }] } },
    models: { testing: createTestingModel() },
    tools: ['push', 'touch'].map((name) => testTool(name, () => (ran.push(name), 'done'), { access: 'write' })),
    managed: { rules, limits: { steps: 4 } },
    ...more,
  });
}

const everything: readonly Rule[] = [{ verdict: 'allow', tool: '*', origin: 'flag' }];

test('[C139] a session’s own rules, an agent’s and a change of policy do not lift a managed denial', async () => {
  const ran: string[] = [];
  await using rondo = await open(ran);
  const session = await rondo.sessions.create({ agent: 'testing', rules: everything });
  await session.send({ type: 'policy', rules: everything });
  await session.chat('call push {}\nsay over');
  expect(ran).toEqual([]);
  const refused = (await session.events({ after: 0 })).events.flatMap(({ event }) =>
    event.type === 'call-refused' ? [[event.rule, event.reason]] : [],
  );
  expect(refused).toEqual([
    ['managed: push', 'The managed rule push denies this. Only an administrator can change it.'],
  ]);
});

test('[C139] a grant for the session does not answer what the managed policy asks about', async () => {
  const ran: string[] = [];
  await using rondo = await open(ran);
  const session = await rondo.sessions.create({ agent: 'testing', rules: everything });
  await session.chat('call touch {}\nsay first');
  const [first] = (await session.status()).questions;
  await session.answer(first?.id ?? '', { type: 'allow-session' });
  await session.wait();
  expect(ran).toEqual(['touch']);
  await session.chat('call touch {}\nsay second');
  expect((await session.status()).questions).toHaveLength(1);
  expect(ran).toEqual(['touch']);
});

test('[C139] approving everything leaves what the managed policy asks about to a person', async () => {
  const ran: string[] = [];
  await using rondo = await open(ran, { approve: 'all' });
  const session = await rondo.sessions.create({ agent: 'testing' });
  const reply = await session.chat('call touch {}\nsay over');
  expect([reply.outcome, ran]).toEqual(['needs-input', []]);
});

test('[C139] no session has looser limits: not at its start, not by a change, not from before', async () => {
  const store = createMemoryStore();
  const ran: string[] = [];
  await using free = await createRondo({
    store,
    agents: { testing: { model: 'testing' } },
    models: { testing: createTestingModel() },
  });
  const old = await free.sessions.create({ agent: 'testing', limits: { steps: 90 } });
  await old.chat('say hi');
  await old.close();
  await using rondo = await open(ran, { store });
  const session = await rondo.sessions.create({ agent: 'testing', limits: { steps: 90 } });
  await session.persist();
  expect((await session.status()).limits.steps).toBe(4);
  await session.send({ type: 'limits', limits: { steps: 50, toolCalls: 60 } });
  expect((await session.status()).limits).toMatchObject({ steps: 4, toolCalls: 60 });
  const again = await rondo.sessions.open(old.id);
  await again.chat('say again');
  expect((await again.status()).limits.steps).toBe(4);
});
