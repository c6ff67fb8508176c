import { expect, test } from 'vitest';

import type { Event } from '../kernel/event.ts';
import type { CallId, EffectId } from '../kernel/ids.ts';
import { reply } from '../testing/inputs.ts';
import { call } from '../testing/inputs.ts';
import { loopingAfter, notLooping } from './looping.ts';

const asked = (id: string, tool: string): Event => ({
  type: 'model-settled',
  effect: 'ses_1.4' as EffectId,
  outcome: reply('', [call(id, tool)]),
});
const gave = (id: string, output: string): Event => ({
  type: 'tool-settled',
  call: id as CallId,
  result: { type: 'success', output },
});

function verdicts(events: readonly Event[]): readonly string[] {
  let looping = notLooping;
  const seen: string[] = [];
  for (const event of events) {
    const next = loopingAfter(looping, event, { warnAt: 3, stopAt: 5 });
    looping = next.looping;
    if (next.verdict !== undefined) seen.push(`${next.verdict.action}: ${next.verdict.evidence}`);
  }
  return seen;
}
const repeated = (times: number, output: (time: number) => string) =>
  Array.from({ length: times }, (_, time) => [asked(`c${time}`, 'look'), gave(`c${time}`, output(time))]).flat();

test('[P7] the same call with the same result is warned of at 3 and stopped at 5', () => {
  expect(verdicts(repeated(6, () => 'nothing'))).toEqual([
    'warn: look was called 3 times with the same arguments and gave the same result.',
    'stop: look was called 5 times with the same arguments and gave the same result.',
  ]);
});

test('[P7] other results, other tools and other turns are no loop', () => {
  expect(verdicts(repeated(6, (time) => `row ${time}`))).toEqual([]);
  const turns = Array.from({ length: 4 }, (): readonly Event[] => [
    { type: 'turn-started', prompt: 2 },
    ...repeated(2, () => 'nothing'),
  ]);
  expect(verdicts(turns.flat())).toEqual([]);
});
