import { describe, expect, test } from 'vitest';

import { loadSession } from '../read/load-session.ts';
import { createMemoryStore } from '../../journal/memory-store.ts';
import type { ClientInput } from '../client-input.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

async function sent(input: unknown) {
  const store = createMemoryStore();
  const rondo = await rondoOfTest(testingAgent({ store }));
  const session = await rondo.sessions.create();
  await session.persist();
  const receipt = await session.send(input as ClientInput);
  const live = await session.status();
  const folded = await loadSession(store.journal, session.id);
  return { receipt, live: live.limits, folded: folded?.state.limits };
}

describe('[P1] an input that nothing can be made of is refused', () => {
  test.each([
    [{ type: 'chta', text: 'hello' }, 'Unknown input type "chta". Did you mean "chat"?'],
    [
      { type: 'frobnicate' },
      'Unknown input type "frobnicate". The types are chat, task, tasks, compact, rewind, restore, answer, interrupt, retry-now, queue, agent, agent-setting, title, mode, policy, rules, limits, worker, verdict, continue, close, custom.',
    ],
    [{ type: 'constructor' }, /^Unknown input type "constructor"/],
    [{}, /^Unknown input type undefined/],
    ['hello', /^An input is an object with a type/],
    [null, /^An input is an object with a type/],
    [{ type: 'chat' }, 'A chat input needs text: string.'],
    [{ type: 'mode', mode: 3 }, 'A mode input needs mode: string or object.'],
    [
      { type: 'limits', limits: { steps: Infinity } },
      "This limits input can't be recorded: limits.steps is Infinity, which isn't a finite number.",
    ],
    [
      { type: 'limits', limits: { cost: Number.NaN } },
      "This limits input can't be recorded: limits.cost is NaN, which isn't a finite number.",
    ],
    [
      { type: 'task', command: 'look', args: { list: [1, { at: new Date(0) }] } },
      "This task input can't be recorded: args.list[1].at isn't a plain object.",
    ],
  ])('%j', async (input, message) => {
    const { receipt } = await sent(input);
    expect(receipt).toMatchObject({ type: 'refused', refusal: { code: 'invalid' } });
    expect(receipt.type === 'refused' ? receipt.refusal.message : '').toMatch(message);
  });
});

test('a property that is undefined is left out, as the journal leaves it out', async () => {
  const { receipt, live, folded } = await sent({ type: 'limits', limits: { steps: undefined, toolCalls: 3 } });
  expect(receipt.type).toBe('accepted');
  expect(live).toEqual(folded);
  expect(live).toMatchObject({ steps: 50, toolCalls: 3 });
});

test("a session with limits that aren't finite is not created", async () => {
  const rondo = await rondoOfTest(testingAgent());
  await expect(rondo.sessions.create({ limits: { steps: Infinity } })).rejects.toThrow(
    "Can't create a session: limits.steps is Infinity, which isn't a finite number.",
  );
});

test('a model that is not there is refused as `--model` refuses it', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  expect(await session.send({ type: 'agent', agent: 'testing', model: 'nope' })).toEqual({
    type: 'refused',
    refusal: { code: 'not-found', message: 'Agent testing needs the model nope; available: testing.' },
  });
  expect((await session.send({ type: 'agent', agent: 'testing', model: 'testing' })).type).toBe('accepted');
});
