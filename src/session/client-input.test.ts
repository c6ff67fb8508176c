import { expect, test } from 'vitest';

import { modes } from '../kernel/mode.ts';
import { toInput, type ClientInput, type Translation } from './client-input.ts';

const denyEdit = { verdict: 'deny', tool: 'edit', origin: 'agent' } as const;

const parts = {
  context: { state: { mode: modes.interactive } },
  understand: async (text: string) => ({ intent: { said: text }, rules: [denyEdit] }),
} as unknown as Translation;

test('[U1] an edit of a prompt that waits is understood again', async () => {
  const edit: ClientInput = { type: 'queue', change: { type: 'edited', prompt: 5, text: 'only look' } };
  expect(await toInput(edit, parts)).toEqual({
    type: 'queue-changed',
    change: {
      type: 'edited',
      prompt: 5,
      text: 'only look',
      meaning: { intent: { said: 'only look' }, rules: [denyEdit] },
    },
  });
  const move: ClientInput = { type: 'queue', change: { type: 'moved', prompt: 5, to: 0 } };
  expect(await toInput(move, parts)).toEqual({ type: 'queue-changed', change: move.change });
});

test('a prompt whose sender says what it means is not understood again', async () => {
  const clarify = { text: 'Which?', options: ['a', 'b'] };
  expect(await toInput({ type: 'chat', text: 'hm', intent: 1, rules: [], clarify }, parts)).toEqual({
    type: 'prompt-received',
    delivery: 'queue',
    text: 'hm',
    intent: 1,
    rules: [],
    clarify,
  });
});

test('[C64] a task is described with the order and priority of its calls, where it has them', async () => {
  const described: unknown[] = [];
  const task: ClientInput = {
    type: 'tasks',
    calls: [
      { id: 'a', command: 'look' },
      { id: 'b', command: 'write', args: { path: 'x' }, after: ['a'], priority: 2 },
    ],
  };
  const describe = async (calls: readonly unknown[]) => (described.push(...calls), calls);
  const wanted = [
    { id: 'a', tool: 'look', args: '{}' },
    { id: 'b', tool: 'write', args: '{"path":"x"}', after: ['a'], priority: 2 },
  ];
  expect(await toInput(task, { ...parts, describe } as unknown as Translation)).toEqual({
    type: 'task-received',
    calls: wanted,
    delivery: 'queue',
  });
  expect(described).toStrictEqual(wanted);
});

test('[C119] a rewind goes to the last rest before an event, and one that never was is refused', async () => {
  const rest = { seq: 6, context: { from: 1 } };
  const context = { session: 'ses_1', state: {} };
  const rewind: ClientInput = { type: 'rewind', to: 7 };
  const at = (meaning: unknown) => ({ ...parts, context, restAt: async () => meaning }) as unknown as Translation;
  expect(await toInput(rewind, at(rest))).toEqual({ type: 'rewound', to: 6, context: { from: 1 } });
  expect(await toInput(rewind, at(undefined))).toEqual({
    code: 'invalid',
    message: 'session ses_1 has no event 7; `rondo show ses_1 --events` lists them',
  });
});
