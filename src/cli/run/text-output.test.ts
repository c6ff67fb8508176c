import { expect, test } from 'vitest';

import type { Event } from '../../kernel/event.ts';
import type { CallId, EffectId, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Update } from '../../session/update.ts';
import { call, reply } from '../../testing/inputs.ts';
import { terminalOf } from '../terminal.ts';
import type { RunRecord } from './run-output.ts';
import { createTextOutput, type TextOutputOptions } from './text-output.ts';

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
const textUpdate = (text: string, effect = 'ses_1.4'): Update => ({
  type: 'progress',
  effect: effect as EffectId,
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
const eventUpdate = (event: Event): Update => ({
  type: 'event',
  recorded: { seq: 6, at: 0, by, event },
  json: '',
});

function setUp(err = pipe, options: TextOutputOptions = {}) {
  let written = '';
  let both = '';
  const streams = {
    out: (text: string) => void ((written += text), (both += text)),
    err: (text: string) => void (both += text),
  };
  const output = createTextOutput(streams, { out: pipe, err }, options);
  return { output, written: () => written, both: () => both };
}

test('a reply that was streamed before its call was cancelled is printed once', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, textUpdate('Looking.'), settled]) output.update(update);
  output.result({ ...record, outcome: 'cancelled' });
  expect(written()).toBe('Looking.\n');
});

test('a reply whose streamed text comes late from another process is printed whole, once', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, textUpdate('Loo'), settled, { ...textUpdate('king.'), offset: 3 }])
    output.update(update);
  output.result(record);
  expect(written()).toBe('Looking.\n');
});

test('a reply that starts again, for example at another node, begins on its own line after a notice', () => {
  const { output, written, both } = setUp();
  for (const update of [turnStarted, textUpdate('Loo'), { ...textUpdate('Look'), attempt: 2 }])
    output.update(update);
  for (const update of [{ ...textUpdate('ing.'), offset: 4, attempt: 2 }, settled]) output.update(update);
  output.result(record);
  expect(written()).toBe('Loo\nLooking.\n');
  expect(both()).toBe('Loo\nThe reply above was cut off. It starts again:\nLooking.\n');
});

test('a pipe also gets one line per call, separate from the text', () => {
  const { output, both } = setUp();
  const c1 = 'c1' as CallId;
  const c2 = 'c2' as CallId;
  for (const update of [
    turnStarted,
    textUpdate('Looking.'),
    settled,
    eventUpdate({
      type: 'call-refused',
      call: c2,
      code: 'policy',
      reason: 'The flag rule write denies this.',
      rule: 'write',
    }),
    eventUpdate({ type: 'tool-run-intended', call: c1, repeat: 'safe' }),
    eventUpdate({ type: 'tool-settled', call: c1, result: { type: 'success', output: 'a.ts' } }),
    textUpdate('Found it.', 'ses_1.8'),
  ])
    output.update(update);
  output.result({ ...record, text: 'Found it.' });
  expect(both()).toBe(
    [
      'Looking.',
      'Refused by policy: write. The flag rule write denies this.',
      '✓ Listed src (0.0s)',
      '',
      'Found it.',
      '',
    ].join('\n'),
  );
});

test('a pipe gets no colors, not even those of a reason that another program gave', () => {
  const { output, both } = setUp();
  output.result({ ...record, text: '', outcome: 'failed', reason: '\u001B[31mbroken\u001B[39m' });
  expect(both()).toContain('Session ses_1: failed — \uFFFD[31mbroken');
  expect(both()).not.toContain('\u001B');
});

test('text before and after a tool call is two paragraphs', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, textUpdate('Looking.'), settled, textUpdate('Found it.', 'ses_1.8')])
    output.update(update);
  output.result({ ...record, text: 'Found it.' });
  expect(written()).toBe('Looking.\n\nFound it.\n');
});

test('so does one after which the turn of another client began', () => {
  const { output, written } = setUp();
  for (const update of [turnStarted, textUpdate('Looking.'), turnStarted]) output.update(update);
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

const ran = (id: string, ms: number, output: string, data?: object): readonly Update[] => {
  const id1 = id as CallId;
  return [
    {
      type: 'event',
      recorded: { seq: 6, at: 0, by, event: { type: 'tool-run-intended', call: id1, repeat: 'safe' } },
      json: '',
    },
    {
      type: 'event',
      recorded: {
        seq: 7,
        at: ms,
        by,
        event: {
          type: 'tool-settled',
          call: id1,
          result: { type: 'success', output, ...optional({ data }) },
        },
      },
      json: '',
    },
  ];
};
const planned = eventUpdate({
  type: 'model-settled',
  effect: 'ses_1.4' as EffectId,
  outcome: reply('', [
    call('r1', 'read', {}, { args: '{"path":"a.ts"}' }),
    call('r2', 'read', {}, { args: '{"path":"b.ts"}' }),
    call('g1', 'grep', {}, { args: '{"pattern":"TODO"}' }),
    call('e1', 'edit', {}, { args: '{"path":"a.ts","edits":[{"old_text":"1","new_text":"2"}]}' }),
    call('s1', 'shell', {}, { args: '{"command":"npm test"}' }),
  ]),
});
const work = [
  turnStarted,
  planned,
  ...ran('r1', 200, 'x'),
  ...ran('r2', 300, 'x'),
  ...ran('g1', 100, 'x'),
  ...ran('e1', 100, 'done'),
  ...ran('s1', 11_800, '3 failed', { exitCode: 1 }),
];

test('[C159] on a terminal: a heading, one line per call with its time at the right, and a summary', () => {
  const terminal = { ...pipe, isTerminal: true, width: 60 };
  let time = 0;
  const { output, both, written } = setUp(terminal, { now: () => time });
  output.begin('claude-sonnet-5-5 · shop:main · limit $2.00');
  for (const update of work) output.update(update);
  time = 119_000;
  const usage = { inputTokens: 30_000, outputTokens: 8000, cost: 0.42, costIsKnown: true };
  output.result({ ...record, text: 'All is well.', usage });
  expect(written()).toBe('All is well.\n');
  expect(both()).toBe(`rondo  claude-sonnet-5-5 · shop:main · limit $2.00

✓ Read 2 files, searched 1                              0.6s
✓ Edited a.ts   +1 −1                                   0.1s
✗ Ran npm test   exit 1, 3 failed                        11s
All is well.

Completed in 1m 59s · $0.42 · 38k tokens · 1 file +1 −1
Resume with: rondo --session ses_1
`);
});

test('[C159] in a pipe: one plain line per call, without heading and summary; quiet leaves the answer', () => {
  const piped = setUp();
  piped.output.begin('testing');
  for (const update of work) piped.output.update(update);
  piped.output.result({ ...record, text: 'All is well.' });
  expect(piped.both()).toBe(`✓ Read 2 files, searched 1 (0.6s)
✓ Edited a.ts   +1 −1 (0.1s)
✗ Ran npm test   exit 1, 3 failed (11s)
All is well.
`);
  const quiet = setUp({ ...pipe, isTerminal: true, width: 60 }, { isQuiet: true });
  quiet.output.begin('testing');
  for (const update of work) quiet.output.update(update);
  quiet.output.result({ ...record, text: 'All is well.' });
  expect(quiet.both()).toBe('All is well.\n');
});

test('a reply that was cut off at the length limit is reported apart from it', () => {
  const { output, written, both } = setUp();
  const cutOff = { ...reply('Looking.'), stop: 'length' } as const;
  const { recorded } = settled;
  const event = { ...recorded.event, outcome: cutOff } as Event;
  for (const update of [
    turnStarted,
    textUpdate('Looking.'),
    { ...settled, recorded: { ...recorded, event } } as Update,
  ])
    output.update(update);
  output.result(record);
  expect({ written: written(), both: both() }).toEqual({
    written: 'Looking.\n',
    both: 'Looking.\nThe reply was cut off at the length limit.\n',
  });
});

test('a status in the middle of a piped reply starts on its own line', () => {
  const { output, written, both } = setUp();
  const status: Update = { ...textUpdate('the stream broke'), kind: 'status' } as Update;
  for (const update of [turnStarted, textUpdate('Look'), status]) output.update(update);
  expect({ written: written(), both: both() }).toEqual({ written: 'Look', both: 'Look\nthe stream broke\n' });
});

test('a run without any answer says that the reply was empty; a run that only called tools does not', () => {
  const empty = { ...record, text: '', toolCalls: 0 };
  const both = [empty, { ...empty, toolCalls: 1 }, { ...empty, steps: 0 }].map((given) => {
    const run = setUp();
    run.output.result(given);
    return run.both();
  });
  expect(both).toEqual(['The reply was empty.\n', '', '']);
});

test('on a terminal a reply that goes on after a status is printed once', () => {
  let both = '';
  const add = (text: string) => void (both += text);
  const terminal = terminalOf({ isTTY: true, columns: 80 }, { NO_COLOR: '1' });
  const output = createTextOutput({ out: add, err: add }, { out: terminal, err: terminal }, { now: () => 0 });
  const status = { ...textUpdate('the stream broke'), kind: 'status' } as Update;
  const { recorded } = settled;
  const event = { ...recorded.event, outcome: reply('Half, whole.') } as Event;
  const rest: Update = { ...textUpdate(', whole.'), offset: 4 } as Update;
  const end = { ...settled, recorded: { ...recorded, event } } as Update;
  for (const update of [turnStarted, textUpdate('Half'), status, rest, end]) output.update(update);
  output.result({ ...record, text: 'Half, whole.' });
  const [before = ''] = both.split('Completed in');
  expect(before).toBe('Half\nthe stream broke\n, whole.\n\n');
});
