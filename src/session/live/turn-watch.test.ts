import { expect, test } from 'vitest';

import { system } from '../../kernel/actor.ts';
import type { Event } from '../../kernel/event.ts';
import type { CallId, EffectId, SessionId } from '../../kernel/ids.ts';
import type { Ending } from '../../kernel/outcome.ts';
import type { Question } from '../../kernel/question.ts';
import { chat, created } from '../../testing/inputs.ts';
import { given } from '../../testing/given.ts';
import type { TurnResult } from '../receipt.ts';
import {
  awaitTurn,
  failWaiting,
  newTurnWatch,
  watchEvent,
  watchHeldUp,
  watchStanding,
  type TurnWatch,
} from './turn-watch.ts';

const completed: Ending = { type: 'completed' };
const ended: Event = { type: 'turn-ended', ending: completed };
const started = (prompt: number): Event => ({ type: 'turn-started', prompt });
const takenBack: Ending = { type: 'cancelled', reason: 'The prompt was taken back before its turn.' };

function see(watch: TurnWatch, events: Readonly<Record<number, Event>>): void {
  for (const [seq, event] of Object.entries(events)) {
    watchEvent(watch, { seq: Number(seq), at: 1, by: system, event });
  }
}

/** The answer to each of these prompts, in the order of the answers. */
function watchPrompts(...prompts: readonly (number | undefined)[]) {
  const watch = newTurnWatch();
  const got: [number | undefined, TurnResult | Error][] = [];
  for (const prompt of prompts) {
    const keep = (result: TurnResult | Error) => void got.push([prompt, result]);
    awaitTurn(watch, prompt, { whenAsked: 'return' }).then(keep, keep);
  }
  return { watch, got };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('[P5] a turn ends for its own prompt, for those that joined it, and for those that wait for any', async () => {
  const { watch, got } = watchPrompts(2, 5, 7, undefined);
  see(watch, { 3: started(2), 5: { type: 'prompt-joined', prompt: 5 }, 8: ended });
  await settle();
  const result = { type: 'ended', turn: 3, ending: completed, texts: [], hasRefusals: false };
  expect(got).toEqual([
    [2, result],
    [5, result],
    [undefined, result],
  ]);
  see(watch, { 9: started(7), 10: ended });
  await settle();
  expect(got.at(-1)).toEqual([7, { ...result, turn: 9 }]);
  expect(got).toHaveLength(4);
});

test.each<[string, Event, boolean]>([
  ['a rule', { type: 'call-refused', call: 'c' as CallId, code: 'policy', reason: 'no' }, true],
  ['the end of its turn', { type: 'call-refused', call: 'c' as CallId, code: 'interrupted', reason: 'no' }, false],
  [
    'something in a worker',
    {
      type: 'worker-reported',
      report: { job: 'j', worker: 'w', session: 'ses_2' as SessionId, state: 'completed' },
    } as unknown as Event,
    true,
  ],
])('[P8] a turn in which a call was refused by %s: %#', async (_, refusing, hasRefusals) => {
  const { watch, got } = watchPrompts(undefined, 9);
  see(watch, { 3: started(2), 4: refusing, 8: ended, 9: started(9), 10: ended });
  await settle();
  expect(got.map(([prompt, result]) => [prompt, (result as TurnResult).hasRefusals])).toEqual([
    [undefined, hasRefusals],
    [9, false],
  ]);
});

test('[P5] the result carries what the agent said last in this turn', async () => {
  const { watch, got } = watchPrompts(2);
  const reply = (text: string): Event => ({
    type: 'model-settled',
    effect: 'e' as EffectId,
    outcome: { type: 'completed', text, calls: [], usage: { inputTokens: 1, outputTokens: 1 }, stop: 'end' },
  });
  see(watch, { 1: reply('before'), 3: started(2), 4: reply('first'), 5: reply('last'), 6: ended });
  await settle();
  expect(got).toMatchObject([[2, { texts: ['last'] }]]);
});

test('[P1] a withdrawn prompt gets no turn; the others still wait', async () => {
  const { watch, got } = watchPrompts(5, 6, undefined);
  see(watch, { 3: started(2), 7: { type: 'queue-changed', change: { type: 'removed', prompt: 5 } } });
  await settle();
  expect(got).toEqual([[5, { type: 'ended', turn: 3, ending: takenBack, texts: [], hasRefusals: false }]]);
});

test('[P1] clearing the queue takes back every prompt except those of the running turn', async () => {
  const { watch, got } = watchPrompts(2, 4, 5, undefined);
  see(watch, {
    3: started(2),
    6: { type: 'prompt-joined', prompt: 4 },
    7: { type: 'queue-changed', change: { type: 'cleared' } },
  });
  await settle();
  expect(got.map(([prompt, result]) => [prompt, (result as { ending?: Ending }).ending])).toEqual([
    [5, takenBack],
  ]);
});

test('[P1] another change of the queue takes no prompt back', async () => {
  const { watch, got } = watchPrompts(5);
  see(watch, { 7: { type: 'queue-changed', change: { type: 'paused' } } });
  await settle();
  expect(got).toEqual([]);
});

test('[P5] closing the session ends the wait of every prompt', async () => {
  const { watch, got } = watchPrompts(5, undefined);
  see(watch, { 7: { type: 'session-closed' } });
  await settle();
  const ending = { type: 'cancelled', reason: 'The session was closed before the turn of this prompt.' };
  const result = { type: 'ended', turn: 0, ending, texts: [], hasRefusals: false };
  expect(got).toEqual([
    [5, result],
    [undefined, result],
  ]);
});

test('[P9] questions of others hold up those who do not wait for answers, and an empty list holds up nobody', async () => {
  const { watch, got } = watchPrompts(undefined);
  const patient = awaitTurn(watch, undefined, { whenAsked: 'wait' });
  const questions = [{ id: 'q' }] as unknown as readonly Question[];
  see(watch, { 3: started(2) });
  watchHeldUp(watch, []);
  await settle();
  expect(got).toEqual([]);
  watchHeldUp(watch, questions);
  await settle();
  expect(got).toEqual([[undefined, { type: 'needs-input', turn: 3, questions, texts: [], hasRefusals: false }]]);
  see(watch, { 8: ended });
  expect(await patient).toMatchObject({ type: 'ended', turn: 3 });
});

test('[P9] a session that works holds up nobody', async () => {
  const { watch, got } = watchPrompts(undefined);
  watchStanding(watch, given(created(), chat('hello')).state);
  await settle();
  expect(got).toEqual([]);
});

test('[P2] a failure reaches everyone who waits', async () => {
  const { watch, got } = watchPrompts(5, undefined);
  const failure = new Error('the store failed');
  failWaiting(watch, failure);
  await settle();
  expect(got).toEqual([
    [5, failure],
    [undefined, failure],
  ]);
});

test('[P1] a caller that starts to wait after the session stopped gets the reason instead of waiting forever', async () => {
  const watch = newTurnWatch();
  const fault = new Error('stopped');
  failWaiting(watch, fault);
  await expect(awaitTurn(watch, 2, { whenAsked: 'return' })).rejects.toBe(fault);
});
