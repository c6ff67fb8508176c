import { expect, test } from 'vitest';

import { modes } from '../kernel/mode.ts';
import { toInput, type ClientInput, type Translation } from './client-input.ts';

const denyEdit = { verdict: 'deny', tool: 'edit', origin: 'agent' } as const;

const parts = {
  context: { state: { mode: modes.interactive } },
  understand: async (text: string) => ({ intent: { said: text }, rules: [denyEdit] }),
} as unknown as Translation;

test('[U1] an edit of a prompt that waits is understood anew', async () => {
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
