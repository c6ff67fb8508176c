// Rewinds on either axis, with files in memory.
import { expect, test } from 'vitest';

import { createMemoryStore } from '../journal/memory-store.ts';
import { rondoOfTest } from '../testing/rondo-of-test.ts';
import { testTool } from '../testing/test-tool.ts';
import { testingAgent } from '../testing/testing-agent.ts';
import { createWorld } from '../testing/world.ts';

const ada = { type: 'person', name: 'Ada' } as const;

/** Three turns, the second of which writes the file. */
async function setUp() {
  const store = createMemoryStore();
  const { file } = createWorld();
  const paint = testTool('paint', (args) => (file.write(JSON.stringify(args)), 'painted'), { access: 'write' });
  const rondo = await rondoOfTest(
    testingAgent({ store, tools: [paint], approve: 'all', checkpoints: file.checkpoints }),
  );
  const session = await rondo.sessions.create();
  const rests: number[] = [];
  for (const text of ['say one', 'call paint {"color":"red"}\nsay two', 'say three']) {
    await session.chat(text);
    rests.push((await session.status()).seq);
  }
  const [one = 0, two = 0, three = 0] = rests;
  const eventsAfter = async (after: number) =>
    (await session.events({ after })).events.map(({ event, by }) => `${event.type} by ${by.name}`);
  return { session, file, one, two, three, eventsAfter };
}

const red = '{"color":"red"}';
const restored = { type: 'restored', restored: ['file'], removed: [], blocked: [] };

test('[C119] both axes go back together, and undo brings both back', async () => {
  const { session, file, one, three, eventsAfter } = await setUp();
  expect(await session.rewind({ to: one, by: ada })).toEqual({
    type: 'rewound',
    conversation: one,
    files: restored,
  });
  expect(file.content()).toBe('');
  expect((await eventsAfter(three))[0]).toBe('restore-intended by Ada');
  const undone = await session.rewind({ to: 'undo' });
  expect(undone).toMatchObject({ type: 'rewound', files: restored });
  expect(file.content()).toBe(red);
  expect((await session.status()).seq).toBeGreaterThan(three);
});

test('[C119] the conversation alone goes back and leaves the files, and its undo does too', async () => {
  const { session, file, one, three } = await setUp();
  const axes = 'conversation';
  expect(await session.rewind({ to: one, axes })).toEqual({
    type: 'rewound',
    conversation: one,
    files: { type: 'left' },
  });
  expect(await session.rewind({ to: 'undo', axes })).toEqual({
    type: 'rewound',
    conversation: three,
    files: { type: 'left' },
  });
  expect(file.content()).toBe(red);
});

test('[C119] the files alone go back and leave the conversation, and its undo does too', async () => {
  const { session, file, one } = await setUp();
  const axes = 'files';
  expect(await session.rewind({ to: one, axes })).toEqual({ type: 'rewound', files: restored });
  expect(file.content()).toBe('');
  expect(await session.rewind({ to: 'undo', axes })).toEqual({ type: 'rewound', files: restored });
  expect(file.content()).toBe(red);
});

test('[C119] after the last change of files there is nothing to restore', async () => {
  const { session, two } = await setUp();
  expect(await session.rewind({ to: two })).toEqual({
    type: 'rewound',
    conversation: two,
    files: { type: 'unchanged' },
  });
  expect(await session.rewind({ to: two, axes: 'files' })).toEqual({
    type: 'rewound',
    files: { type: 'unchanged' },
  });
});

test('[C119] an event that never was, and an undo of nothing, are refused', async () => {
  const { session, three } = await setUp();
  expect(await session.rewind({ to: three + 1 })).toEqual({
    type: 'refused',
    refusal: {
      code: 'invalid',
      message: `session ${session.id} has the events 1 to ${three}; ${three + 1} doesn't exist`,
    },
  });
  expect(await session.rewind({ to: 0 })).toMatchObject({ type: 'refused', refusal: { code: 'invalid' } });
  const nothing = {
    type: 'refused',
    refusal: { code: 'not-found', message: `session ${session.id} has no rewind to undo` },
  };
  expect(await session.rewind({ to: 'undo' })).toEqual(nothing);
  await session.rewind({ to: three, axes: 'conversation' });
  expect(await session.rewind({ to: 'undo', axes: 'files' })).toEqual(nothing);
});

test('[C119][P2] the same wish under its key is carried out once; another wish under that key is refused', async () => {
  const { session, file, one, two } = await setUp();
  await session.rewind({ to: one, key: 'k' });
  file.write('later');
  const { seq } = await session.status();
  expect(await session.rewind({ to: one, key: 'k' })).toEqual({
    type: 'rewound',
    conversation: one,
    files: { type: 'restored-before' },
  });
  expect([file.content(), (await session.status()).seq]).toEqual(['later', seq]);
  expect(await session.rewind({ to: two, key: 'k' })).toMatchObject({
    type: 'refused',
    refusal: { code: 'conflict' },
  });
  const axes = 'conversation';
  await session.rewind({ to: two, axes, key: 'c' });
  const { seq: after } = await session.status();
  expect(await session.rewind({ to: two, axes, key: 'c' })).toEqual({
    type: 'rewound',
    conversation: two,
    files: { type: 'left' },
  });
  expect((await session.status()).seq).toBe(after);
});
