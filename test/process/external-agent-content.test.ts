/** Attachments of a prompt, as an external agent receives them. */
import { expect, test } from 'vitest';

import type { Attachment } from '../../src/kernel/content.ts';
import { open, reportsOf } from './hosted-scene.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const attachments: readonly Attachment[] = [
  { name: 'dot.png', mediaType: 'image/png', content: pixel },
  { name: 'same.png', mediaType: 'image/png', content: `data:image/png;base64,${pixel}` },
  { name: 'notes.txt', mediaType: 'text/plain', content: 'Remember.' },
  { name: 'paper.pdf', mediaType: 'application/pdf', content: 'JVBERi0=' },
];
const embedded = [
  { type: 'resource', resource: { uri: 'attachment:///notes.txt', mimeType: 'text/plain', text: 'Remember.' } },
  {
    type: 'resource',
    resource: { uri: 'attachment:///paper.pdf', mimeType: 'application/pdf', blob: 'JVBERi0=' },
  },
];

test('[C89] images and files go along as what they are', async () => {
  const { session } = await open();

  await session.send({ type: 'chat', text: 'blocks', attachments });
  const reply = await session.wait();

  const image = { type: 'image', mimeType: 'image/png', data: pixel };
  expect(JSON.parse(reply.text)).toEqual([image, image, ...embedded]);
});

test('[C89] an agent that takes no images gets a notice of them, and people learn that it lacks them', async () => {
  const { session } = await open({ flags: ['--no-images'] });

  await session.send({ type: 'chat', text: 'blocks', attachments });
  const reply = await session.wait();

  const told = (name: string) => ({
    type: 'text',
    text: `[The user attached ${name} (image/png), which you cannot be given.]`,
  });
  expect(JSON.parse(reply.text)).toEqual([told('dot.png'), told('same.png'), ...embedded]);
  expect((await reportsOf(session)).filter(({ type }) => type === 'notice')).toEqual([
    {
      type: 'notice',
      severity: 'warning',
      text: 'fixture cannot be given dot.png (image/png), same.png (image/png): it takes no content of that kind.',
    },
  ]);
});
