import { expect, test } from 'vitest';

import type { EffectId, SessionId } from '../../kernel/ids.ts';
import type { Update } from '../../session/update.ts';
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
const toolIntended: Update = {
  type: 'event',
  recorded: { seq: 6, at: 0, by, event: { type: 'tool-run-intended', call: 'c1', repeat: 'never', rule: 'x' } },
  json: '',
} as Update;

function setUp() {
  let written = '';
  const streams = { out: (text: string) => void (written += text), err: () => undefined };
  return { output: createTextOutput(streams, { out: pipe, err: pipe }), written: () => written };
}

test('a reply that was streamed before its call was cancelled stands there once', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), toolIntended]) output.update(update);
  output.result({ ...record, outcome: 'cancelled' });
  expect(written()).toBe('Looking.\n');
});

test('what is said before and after a tool ran are two paragraphs', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), toolIntended, said('Found it.')]) output.update(update);
  output.result({ ...record, text: 'Found it.' });
  expect(written()).toBe('Looking.\n\nFound it.\n');
});

test('so does one after which the turn of another client began', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, said('Looking.'), turnStarted]) output.update(update);
  output.result(record);
  expect(written()).toBe('Looking.\n');
});

test('the same reply to two prompts is told twice', () => {
  const { output, written } = setUp();
  output.update(turnStarted);
  output.replied(record);
  output.update(turnStarted);
  output.result(record);
  expect(written()).toBe('Looking.\nLooking.\n');
});
