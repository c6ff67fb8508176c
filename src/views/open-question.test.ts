import { expect, test } from 'vitest';

import { createRondo } from '../rondo.ts';
import { effect, given } from '../testing/given.ts';
import { call, chat, created, replied } from '../testing/inputs.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { listedSubject } from './listed-subject.ts';
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

test('[S14] each command of a line comes with the rule that allows it, and lists name the worst ones', () => {
  const segments = [
    { text: 'tee clean.log', effect: 'edit' },
    { text: 'du -sh dist', effect: 'look' },
    { text: 'rm -rf dist', effect: 'delete' },
  ] as const;
  const wanted = call('c1', 'shell', { access: 'execute', segments, repeat: 'never' });
  const rules = [{ verdict: 'allow', tool: 'shell', pattern: 'du *', origin: 'user' }] as const;
  const { state } = given(created({ rules }), chat('go'), replied('ses_1.4', '', [wanted]));
  const [open] = openQuestionsOf(state);
  expect(open?.allowedBy).toEqual([null, 'shell(du *)', null]);
  expect(state.questions.map((question) => listedSubject(question, state))).toMatchObject([
    {
      unit: 'rm -rf dist',
      worst: [
        { text: 'rm -rf dist', effect: 'delete', dangers: [] },
        { text: 'tee clean.log', effect: 'edit', dangers: [] },
      ],
    },
  ]);
});
