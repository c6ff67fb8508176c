import { expect, test } from 'vitest';

import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testingAgent } from '../testing/testing-agent.ts';

test('[P1] a prompt sent twice at once under one key counts once, and both senders get the same receipt', async () => {
  const rondo = await rondoOfTest(testingAgent());
  const session = await rondo.sessions.create();
  await session.chat('first');
  const send = (key: string, text = 'hello') => session.send({ type: 'chat', text }, { key });
  const [one, two, other, three] = await Promise.all([send('k'), send('k'), send('other'), send('k')]);
  expect(one).toMatchObject({ type: 'accepted' });
  expect([two, three]).toEqual([one, one]);
  expect(other).not.toEqual(one);
  expect(await send('k')).toEqual(one);
  expect(await send('k', 'something else')).toMatchObject({ type: 'refused', refusal: { code: 'conflict' } });
  const { events } = await session.events({ after: 0 });
  const prompts = events.filter(({ event }) => event.type === 'prompt-received');
  expect(prompts).toHaveLength(3);
});
