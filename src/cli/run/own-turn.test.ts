import { expect, test } from 'vitest';

import type { Update } from '../../session/update.ts';
import { createOwnTurn } from './own-turn.ts';

const event = (seq: number, of: object) => ({ type: 'event', recorded: { seq, event: of } }) as unknown as Update;
const received = (seq: number, text: string) =>
  event(seq, { type: 'prompt-received', request: { type: 'chat', text } });
const started = (seq: number, prompt: number) => event(seq, { type: 'turn-started', prompt });
const text = { type: 'progress', kind: 'text', text: 'x' } as unknown as Update;

const rest = { seq: 0, isRunning: false };

test('the reply to a prompt that was queued before is not the reply of a run', () => {
  const own = createOwnTurn('four', rest);
  const updates = [received(1, 'two'), received(2, 'four'), started(3, 1), text, started(4, 2), text];
  expect(updates.map((update) => own.saw(update))).toEqual([true, true, false, false, true, true]);
});

test('a turn that runs already is another one, until the prompt joins it', () => {
  const own = createOwnTurn('four', { seq: 2, isRunning: true });
  const joined = event(4, { type: 'prompt-joined', prompt: 3 });
  const updates = [text, received(3, 'four'), joined, text];
  expect(updates.map((update) => own.saw(update))).toEqual([false, false, true, true]);
});

test('a prompt that waited before the run began is another one', () => {
  const own = createOwnTurn('four', { seq: 5, isRunning: false });
  const updates = [started(6, 4), text, received(7, 'four'), started(8, 7), text];
  expect(updates.map((update) => own.saw(update))).toEqual([false, false, false, true, true]);
});

test('without a prompt, or with one that is recorded as something else, no reply is left out', () => {
  expect(createOwnTurn(undefined, { seq: 5, isRunning: true }).saw(text)).toBe(true);
  const command = createOwnTurn('/brew', rest);
  expect([received(1, 'Make tea.'), started(2, 1), text].map((update) => command.saw(update))).toEqual([
    true,
    true,
    true,
  ]);
  const call = createOwnTurn('list src', rest);
  const task = event(1, { type: 'prompt-received', request: { type: 'task', command: 'list' } });
  expect([task, started(2, 1), text].map((update) => call.saw(update))).toEqual([true, true, true]);
});
