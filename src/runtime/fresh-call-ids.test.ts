import { expect, test } from 'vitest';

import type { CallId } from '../kernel/ids.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { withFreshIds } from './fresh-call-ids.ts';

const id = (text: string) => text as CallId;

test('an id that an earlier call has gets a number', () => {
  const called = (...ids: readonly string[]) => ids.map((one) => ({ id: id(one), tool: 'look', args: '{}' }));
  const messages = [
    { role: 'assistant', text: '', calls: called('call_0', 'call_0_2') },
    { role: 'tool', call: id('call_1'), tool: 'look', outcome: 'success', text: 'seen' },
  ] as const;
  expect(withFreshIds(called('call_0', 'call_1', 'call_2'), messages).map((call) => call.id)).toEqual([
    'call_0_3',
    'call_1_2',
    'call_2',
  ]);
});

test('two commands of a person and a model that numbers its calls again: every call of a session has its own id', async () => {
  const model = createScriptedModel([
    { calls: [{ id: 'call_0', tool: 'look' }] },
    { calls: [{ id: 'call_0', tool: 'look' }] },
    { text: 'done' },
  ]);
  const rondo = await rondoOfTest(
    testingAgent({ models: { testing: model }, tools: [testTool('look', () => 'seen')] }),
  );
  const session = await rondo.sessions.create();
  await session.send({ type: 'task', command: 'look' });
  await session.wait();
  await session.send({ type: 'task', command: 'look' });
  await session.wait();
  await session.chat('go');
  const messages = model.requests.at(-1)?.messages ?? [];
  const asked = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.call] : []));
  expect(asked).toHaveLength(4);
  expect(new Set(asked.map((call) => call.id)).size).toBe(4);
  expect(answered).toEqual(asked.map((call) => call.id));
});
