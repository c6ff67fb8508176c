import { expect, test } from 'vitest';

import type { Event } from '../../kernel/event.ts';
import type { CallId, EffectId, SessionId } from '../../kernel/ids.ts';
import type { Update } from '../../session/update.ts';
import { call, reply } from '../../testing/inputs.ts';
import { terminalOf } from '../terminal.ts';
import type { RunRecord } from './run-output.ts';
import { createTextOutput } from './text-output.ts';

const pipe = terminalOf({});
const by = { type: 'system', name: 'rondo' } as const;
const record: RunRecord = {
  type: 'result',
  session: 'ses_1' as SessionId,
  outcome: 'completed',
  text: 'Looking.',
  usage: { inputTokens: 0, outputTokens: 0, cost: 0, costIsKnown: true },
  steps: 1,
  toolCalls: 1,
  questions: [],
  refusals: [],
  resume: 'rondo run --session ses_1',
};
const said = (text: string): Update => ({
  type: 'progress',
  effect: 'ses_1.4' as EffectId,
  attempt: 1,
  kind: 'text',
  text,
  offset: 0,
});
const turnStarted: Update = {
  type: 'event',
  recorded: { seq: 3, at: 0, by, event: { type: 'turn-started', prompt: 2 } },
  json: '',
};
const settled: Update = {
  type: 'event',
  recorded: {
    seq: 5,
    at: 0,
    by,
    event: {
      type: 'model-settled',
      effect: 'ses_1.4' as EffectId,
      outcome: reply('Looking.', [call('c1', 'list', {}, { args: '{"path":"src"}' }), call('c2', 'write')]),
    },
  },
  json: '',
};
const told = (event: Event): Update => ({ type: 'event', recorded: { seq: 6, at: 0, by, event }, json: '' });

function setUp() {
  let written = '';
  let both = '';
  const streams = {
    out: (text: string) => void ((written += text), (both += text)),
    err: (text: string) => void (both += text),
  };
  const output = createTextOutput(streams, { out: pipe, err: pipe });
  return { output, written: () => written, both: () => both };
}

test('a reply that was streamed before its call was cancelled stands there once', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), settled]) output.update(update);
  output.result({ ...record, outcome: 'cancelled' });
  expect(written()).toBe('Looking.\n');
});

test('calls are reported on lines of their own in a pipe too, and no text runs into them', () => {
  const { output, both } = setUp();
  const c1 = 'c1' as CallId;
  const c2 = 'c2' as CallId;
  for (const update of [
    turnStarted,
    said('Looking.'),
    settled,
    told({
      type: 'call-refused',
      call: c2,
      code: 'policy',
      reason: 'The flag rule write denies this.',
      rule: 'write',
    }),
    told({ type: 'tool-run-intended', call: c1, repeat: 'safe' }),
    told({ type: 'tool-settled', call: c1, result: { type: 'success', output: 'a.ts' } }),
    said('Found it.'),
  ])
    output.update(update);
  output.result({ ...record, text: 'Found it.' });
  expect(both()).toBe(
    [
      'Looking.',
      'Refused by policy: write. The flag rule write denies this.',
      '✓ list src (0.0s)',
      '',
      'Found it.',
      '',
    ].join('\n'),
  );
});

test('what is said before and after a tool ran are two paragraphs', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), settled, said('Found it.')]) output.update(update);
  output.result({ ...record, text: 'Found it.' });
  expect(written()).toBe('Looking.\n\nFound it.\n');
});

test('so does one after which the turn of another client began', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), turnStarted]) output.update(update);
  output.result(record);
  expect(written()).toBe('Looking.\n');
});

test('the same reply to two prompts is reported twice', () => {
  const { output, written } = setUp();
  output.update(turnStarted);
  output.replied(record);
  output.update(turnStarted);
  output.result(record);
  expect(written()).toBe('Looking.\nLooking.\n');
});
