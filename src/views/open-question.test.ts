import { expect, test } from 'vitest';

import { createRondo } from '../rondo.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';

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
