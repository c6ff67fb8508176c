import { expect, test } from 'vitest';

import { createRondo } from '../rondo.ts';
import { effect, given } from '../testing/given.ts';
import { call, chat, created } from '../testing/inputs.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { openQuestionsOf } from './open-question.ts';

const change = testTool('change', () => 'changed', { access: 'write', repeat: 'never', order: 'exclusive' });

test('[P3] an open question comes with the whole call that a yes would run', async () => {
  await using rondo = await createRondo(testingAgent({ tools: [change] }));
  const session = await rondo.sessions.create();
  const { questions } = await session.chat('call change {"text":"first; second"}');
  expect(questions).toMatchObject([
    { about: { type: 'approval', tool: 'change' }, args: '{"text":"first; second"}' },
  ]);
  expect((await session.status()).questions).toEqual(questions);
});

test('[C158] what an external agent asks comes with every part of its command too', () => {
  const segments = [{ text: 'ls' }, { text: 'rm -rf build' }];
  const wanted = call('c1', 'shell', { access: 'execute', segments, repeat: 'never' });
  const { state } = given(created({ agent: { name: 'outside', runs: 'external' } }), chat('go'), {
    type: 'agent-asked',
    effect: effect(4),
    attempt: 1,
    request: { type: 'permission', key: 'run', call: wanted, options: [] },
  });
  expect(openQuestionsOf(state)).toMatchObject([{ args: wanted.args, facts: { segments } }]);
});
