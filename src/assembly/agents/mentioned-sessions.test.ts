import { expect, test } from 'vitest';

import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

test('[C126] a mentioned session joins the prompt with its title and what was said in it', async () => {
  await using rondo = await createRondo(testingAgent());
  const earlier = await rondo.sessions.create({ title: 'Integer cents' });
  await earlier.chat('say Totals are integers now.');
  const session = await rondo.sessions.create({});
  await session.chat(`say Go on with @session:${earlier.id}, please.`);
  const { items } = await session.transcript({});
  const prompt = items.find((item) => item.type === 'prompt');
  expect(prompt?.type === 'prompt' && prompt.asked.type === 'chat' && prompt.asked.attachments).toEqual([
    {
      name: `@session:${earlier.id}`,
      mediaType: 'text/markdown',
      content:
        '# Integer cents\n\n**Person:** say Totals are integers now.\n\n**Agent:** Totals are integers now.',
    },
  ]);
  expect(await session.send({ type: 'chat', text: 'say @session:ses_none' })).toMatchObject({
    type: 'refused',
    refusal: { message: 'Unknown session ses_none. `rondo ls` lists them.' },
  });
});
