import { expect, test } from 'vitest';

import type { Update } from '../../session/update.ts';
import { createOwnTurn } from './own-turn.ts';

const event = (seq: number, of: object) => ({ type: 'event', recorded: { seq, event: of } }) as unknown as Update;
const received = (seq: number, text: string) =>
  event(seq, { type: 'prompt-received', request: { type: 'chat', text } });
const started = (seq: number, prompt: number) => event(seq, { type: 'turn-started', prompt });
const text = { type: 'progress', kind: 'text', text: 'x' } as unknown as Update;

test('the reply to a prompt that was queued before is not the reply of a run', () => {
  const own = createOwnTurn('four');
  const updates = [received(1, 'two'), received(2, 'four'), started(3, 1), text, started(4, 2), text];
  expect(updates.map((update) => own.saw(update))).toEqual([false, false, false, false, true, true]);
});

test('a prompt that joins a running turn owns what follows', () => {
  const own = createOwnTurn('four');
  const joined = event(4, { type: 'prompt-joined', prompt: 3 });
  const updates = [started(2, 1), text, received(3, 'four'), joined, text];
  expect(updates.map((update) => own.saw(update))).toEqual([false, false, false, true, true]);
});

test('without a prompt, or with a command that is expanded, no reply is left out', () => {
  expect(createOwnTurn(undefined).saw(text)).toBe(true);
  const own = createOwnTurn('/brew');
  expect([received(1, 'Make tea.'), started(2, 1), text].map((update) => own.saw(update))).toEqual([
    false,
    true,
    true,
  ]);
});
