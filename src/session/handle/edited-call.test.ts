// A request that the person edits before it applies, on a real session.
import { expect, test } from 'vitest';

import { previewOf } from '../../kernel/content.ts';
import type { Message } from '../../kernel/message.ts';
import { createTestingModel } from '../../models/testing-model.ts';
import { createRondo, type RondoOptions } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { transcriptOf } from '../../views/transcript.ts';

test('[C38][Q4] the edited arguments run, the transcript shows them, and the agent reads what ran', async () => {
  const ran: string[] = [];
  const change = testTool('change', (args) => (ran.push(JSON.stringify(args)), 'changed'), {
    access: 'write',
    repeat: 'never',
  });
  const read: (readonly Message[])[] = [];
  const model = createTestingModel();
  const models: RondoOptions['models'] = {
    testing: {
      ...model,
      call: (request, sink, signal) => (read.push([...request.messages]), model.call(request, sink, signal)),
    },
  };
  await using rondo = await createRondo(testingAgent({ tools: [change], models }));
  const session = await rondo.sessions.create();
  await session.chat('call change {"to":"a"}\nsay done');
  const [asked] = (await session.status()).questions;
  const args = JSON.stringify({ because: 'x'.repeat(5000), to: 'b' });
  await session.answer(asked?.id ?? '', { type: 'allow-edited', args });
  expect(await session.wait()).toMatchObject({ outcome: 'completed', text: 'done' });
  expect(ran.map((text) => JSON.parse(text) as unknown)).toEqual([JSON.parse(args)]);
  const { events } = await session.events({ after: 0 });
  const { items } = transcriptOf(session.id, events);
  const call = itemsBetween(items, 0, items.length).find(({ type }) => type === 'call');
  expect(call?.type === 'call' && (await session.read(call.args))).toBe(args);
  expect(
    read.at(-1)?.flatMap(({ role, text }) => (role === 'notice' ? [previewOf(text).slice(0, 97)] : [])),
  ).toEqual(['The user changed your change call before it ran. It ran with these arguments: {"because":"xxxxxxx']);
});
