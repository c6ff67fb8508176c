import { expect, test } from 'vitest';

import type { EffectId } from '../../kernel/ids.ts';
import { createRondo } from '../../rondo.ts';
import { testingAgent } from '../../testing/testing-agent.ts';
import { filterIo, filterPrompts, filterText } from './io-filters.ts';
import { createHeadlessIo, createLineIo } from './io.ts';
import { createTalk } from './talk.ts';
import type { Update } from '../update.ts';

const effect = 'ses_1.4' as EffectId;
const piece = (text: string, offset: number): Update => ({
  type: 'progress',
  effect,
  attempt: 1,
  kind: 'text',
  offset,
  text,
});

async function* typed(lines: readonly string[]) {
  for (const line of lines) yield line;
}

test('[C150] input and output filters compose in order; one that gives nothing drops', async () => {
  await using rondo = await createRondo(testingAgent());
  let printed = '';
  const lines = createLineIo(typed(['my key is k-123', 'forbidden', 'hello']), (text) => (printed += text));
  const io = filterIo(lines, {
    inputs: [
      filterPrompts((text) => (text === 'forbidden' ? undefined : text)),
      filterPrompts((text) => text.replace(/k-\d+/, '<key>')),
      filterPrompts((text) => `${text}!`),
    ],
    updates: [filterText((text) => text.toUpperCase()), filterText((text) => `<${text}>`)],
  });
  const session = await rondo.sessions.create();
  await createTalk(session, io).run();
  expect(printed).toBe('<YOU SAID: MY KEY IS <KEY>!>\n<YOU SAID: HELLO!>\n');
  // The session records the filtered input, and its own text unchanged.
  expect((await session.result()).text).toBe('You said: hello!');
});

test('[C150] a text filter sees whole lines of a stream: what comes in two halves is found', () => {
  const updates: Update[] = [];
  const { tell } = filterIo(
    { ...createHeadlessIo(), tell: (update) => updates.push(update) },
    { updates: [filterText((text) => text.replaceAll('secret', '***'))] },
  );
  tell(piece('a sec', 0));
  tell(piece('ret\nand another sec', 5));
  tell(piece('ret', 24));
  const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
  const outcome = { type: 'completed', text: 'a secret', calls: [], usage, stop: 'end' } as const;
  const settled = { type: 'model-settled', effect, outcome } as const;
  tell({
    type: 'event',
    recorded: { seq: 5, at: 0, by: { type: 'system', name: 'model' }, event: settled } as never,
    json: '',
  });
  const hidden = { ...settled, outcome: { ...outcome, text: 'a ***' } };
  expect(updates).toEqual([
    piece('a ***\n', 0),
    piece('and another ***', 6),
    {
      type: 'event',
      recorded: { seq: 5, at: 0, by: { type: 'system', name: 'model' }, event: hidden },
      json: JSON.stringify(hidden),
    },
  ]);
});

test('[C150] a new attempt begins its text again, and a snapshot is filtered too', () => {
  const updates: Update[] = [];
  const { tell } = filterIo(
    { ...createHeadlessIo(), tell: (update) => updates.push(update) },
    { updates: [filterText((text) => text.replaceAll('secret', '***'))] },
  );
  tell(piece('half a line', 0));
  tell(piece('whole secret line\n', 0));
  tell({ type: 'gap', from: 1, to: 2 });
  const streaming = [{ effect, attempt: 1, text: 'secret', reasoning: '', output: 'secret' }];
  const view = { status: { title: 'secret' }, transcript: { items: [{ preview: 'secret' }] }, streaming };
  tell({ type: 'snapshot', seq: 2, view: view as never });
  expect(updates).toEqual([
    piece('whole *** line\n', 0),
    { type: 'gap', from: 1, to: 2 },
    {
      type: 'snapshot',
      seq: 2,
      view: {
        status: { title: 'secret' },
        transcript: { items: [{ preview: '***' }] },
        streaming: [{ effect, attempt: 1, text: '***', reasoning: '', output: '***' }],
      },
    },
  ]);
});
