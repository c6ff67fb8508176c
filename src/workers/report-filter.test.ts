import { expect, test } from 'vitest';

import type { CallId, EffectId } from '../kernel/ids.ts';
import { call, reply } from '../testing/inputs.ts';
import { nothingHeard, reportAfter, type Heard } from './report-filter.ts';

const effect = 'ses_1.4' as EffectId;
const event = (given: Extract<Heard, { type: 'event' }>['event']): Heard => ({ type: 'event', event: given });
const progress = (kind: 'text' | 'reasoning' | 'status', text: string): Heard => ({
  type: 'progress',
  kind,
  text,
});
const asked = event({
  type: 'question-opened',
  about: { type: 'approval', call: 'a' as CallId, tool: 'write', rule: 'default', reason: 'no rule', grants: [] },
});
const calling = event({ type: 'model-settled', effect, outcome: reply('', [call('a', 'shell')]) });
const error = (message: string) =>
  event({ type: 'tool-settled', call: 'a' as CallId, result: { type: 'error', code: 'x', message } });

function heard(intervalMs: number, ...list: readonly (readonly [number, Heard])[]): readonly string[] {
  let filter = nothingHeard;
  return list.flatMap(([at, one]) => {
    const next = reportAfter(filter, one, { at, intervalMs });
    filter = next.filter;
    return next.text === undefined ? [] : [next.text];
  });
}

test.for<{ what: string; in: readonly Heard[]; out: readonly string[] }>([
  { what: 'thinking', in: [progress('reasoning', 'hm')], out: [] },
  { what: 'streamed text', in: [progress('text', 'hel')], out: [] },
  { what: 'an empty status', in: [progress('status', '  ')], out: [] },
  { what: 'a status', in: [progress('status', 'retrying')], out: ['status: retrying'] },
  {
    what: 'the same twice',
    in: [progress('status', 'retrying'), progress('status', 'retrying')],
    out: ['status: retrying'],
  },
  { what: 'an empty reply', in: [calling], out: [] },
  {
    what: 'a reply',
    in: [event({ type: 'model-settled', effect, outcome: reply('Two files\nare left.') })],
    out: ['says: Two files are left.'],
  },
  {
    what: 'a tool',
    in: [calling, event({ type: 'tool-run-intended', call: 'a' as CallId, repeat: 'safe' })],
    out: ['using shell'],
  },
  { what: 'an error of a tool', in: [calling, error('exit 1')], out: ['error: shell: exit 1'] },
  {
    what: 'an error of the model',
    in: [
      event({
        type: 'model-settled',
        effect,
        outcome: { type: 'failed', code: 'model-unavailable', message: 'down', retryable: true },
      }),
    ],
    out: ['error: down'],
  },
  { what: 'a question', in: [asked], out: ['waiting for an answer'] },
  { what: 'the course of a turn', in: [event({ type: 'turn-started', prompt: 2 })], out: [] },
])('[C71] a parent is notified of $what: $out', ({ in: given, out }) => {
  expect(heard(0, ...given.map((one, index) => [index, one] as const))).toEqual(out);
});

test('[C71] a chatty child is heard once an interval, a question at once', () => {
  const status = (text: string) => progress('status', text);
  expect(
    heard(
      1000,
      [0, status('a')],
      [10, status('b')],
      [500, asked],
      [999, status('c')],
      [1500, status('d')],
      [2000, status('e')],
    ),
  ).toEqual(['status: a', 'waiting for an answer', 'status: d']);
});
