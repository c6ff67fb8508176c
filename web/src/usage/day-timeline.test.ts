import { expect, test } from 'vitest';

import type { Recorded } from '../../../src/kernel/event.ts';
import type { InputBody } from '../../../src/kernel/input.ts';
import { newState } from '../../../src/kernel/state.ts';
import { stepSoundly, testSession } from '../../../src/testing/given.ts';
import { answered, call, chat, created, replied, toolSettled } from '../../../src/testing/inputs.ts';
import { churnByFile, dayTimeline, withWorkers } from './day-timeline.ts';

function eventsAfter(...inputs: readonly (readonly [at: number, input: InputBody])[]): readonly Recorded[] {
  let state = newState(testSession);
  const events: Recorded[] = [];
  for (const [at, input] of inputs) {
    const transition = stepSoundly(state, { ...input, at });
    state = transition.state;
    events.push(...transition.events);
  }
  return events;
}

test('a day has working, waiting and idle spans, cut at midnight', () => {
  const events = eventsAfter(
    [900, created()],
    [950, chat('one')],
    [1010, replied('ses_1.4', '', [call('a', 'shell', { access: 'execute' })])],
    [1040, answered('q_10000006', 'allow-once')],
    [1060, toolSettled('ses_1.8')],
    [1070, replied('ses_1.10', 'All done.')],
    [1100, chat('two')],
  );
  expect(dayTimeline(testSession, events, { since: 1000, now: 1150 })).toEqual({
    spans: [
      { kind: 'idle', from: 1070, to: 1100 },
      { kind: 'working', from: 1000, to: 1070 },
      { kind: 'working', from: 1100, to: 1150 },
      { kind: 'waiting', from: 1010, to: 1040 },
    ],
    waitedMs: 30,
    workedMs: 90,
    wholeMs: 150,
  });
});

test('[C95] a session waits also while one of its workers does, and waits at the same time count once', () => {
  const own = {
    spans: [{ kind: 'working', from: 100, to: 200 }],
    waitedMs: 0,
    workedMs: 100,
    wholeMs: 100,
  } as const;
  const worker = (from: number, to: number) =>
    ({ spans: [{ kind: 'waiting', from, to }], waitedMs: to - from, workedMs: 0, wholeMs: 0 }) as const;
  expect(withWorkers(own, [worker(120, 150), worker(140, 180)])).toEqual({
    spans: [
      { kind: 'working', from: 100, to: 200 },
      { kind: 'waiting', from: 120, to: 150 },
      { kind: 'waiting', from: 140, to: 180 },
    ],
    waitedMs: 60,
    workedMs: 40,
    wholeMs: 100,
  });
});

test('churn adds up by file, the most changed first', () => {
  expect(
    churnByFile([
      { path: 'a', added: 1, removed: 1, edits: 1 },
      { path: 'b', added: 5, removed: 0, edits: 1 },
      { path: 'a', added: 3, removed: 2, edits: 1 },
    ]),
  ).toEqual([
    { path: 'a', added: 4, removed: 3, edits: 2 },
    { path: 'b', added: 5, removed: 0, edits: 1 },
  ]);
});
