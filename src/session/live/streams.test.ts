import { expect, test } from 'vitest';

import type { Event } from '../../kernel/event.ts';
import type { EffectId } from '../../kernel/ids.ts';
import { noteStream, streamSoFar, unseen } from '../follow/stream-position.ts';
import { addProgress, endStreams, newStreams, streamingIn } from './streams.ts';
import type { Progress } from '../update.ts';

const effect = 'ses_1.4' as EffectId;
const other = 'ses_1.5' as EffectId;
const piece = (text: string, kind: Progress['kind'] = 'text', attempt = 1) => ({ effect, attempt, kind, text });

test('[P5] each piece carries its place in its text, and the texts so far are kept apart', () => {
  const streams = newStreams();
  expect(streamingIn(streams)).toEqual([]);
  const progress = [piece('Hel'), piece('hm', 'reasoning'), piece('lo'), piece('waits', 'status')].map((each) =>
    addProgress(streams, each),
  );
  expect(progress).toEqual([
    { type: 'progress', ...piece('Hel'), offset: 0 },
    { type: 'progress', ...piece('hm', 'reasoning'), offset: 0 },
    { type: 'progress', ...piece('lo'), offset: 3 },
    { type: 'progress', ...piece('waits', 'status'), offset: 0 },
  ]);
  expect(streamingIn(streams)).toEqual([{ effect, attempt: 1, text: 'Hello', reasoning: 'hm', output: '' }]);
});

test('[P5] a second attempt begins its text again, and an effect that ended has none', () => {
  const streams = newStreams();
  addProgress(streams, piece('first try'));
  addProgress(streams, { ...piece('beside'), effect: other });
  expect(addProgress(streams, piece('second', 'text', 2))).toMatchObject({ offset: 0 });
  expect(streamingIn(streams).map(({ text }) => text)).toEqual(['second', 'beside']);
  endStreams(streams, { type: 'agent-reported', report: { type: 'message', effect, text: '' } });
  expect(streamingIn(streams).map(({ text }) => text)).toEqual(['beside']);
  endStreams(streams, { type: 'turn-ended' } as Event);
  expect(streamingIn(streams)).toEqual([]);
});

test("[P10] keeps 64 KiB of a tool's output and a model's whole text", () => {
  const streams = newStreams();
  const long = 'x'.repeat(64 * 1024);
  addProgress(streams, piece(long, 'output'));
  addProgress(streams, piece('more', 'output'));
  addProgress(streams, piece(long));
  addProgress(streams, piece('more'));
  expect(streamingIn(streams)).toEqual([{ effect, attempt: 1, text: `${long}more`, reasoning: '', output: long }]);
});

const heard = (text: string, offset: number, kind: Progress['kind'] = 'text'): Progress => ({
  type: 'progress',
  ...piece(text, kind),
  offset,
});

test('[P5] a reader gets of each piece only what it has not had, and no piece whose beginning never came', () => {
  const seen = new Map<string, number>();
  expect(unseen(seen, heard('The', 0))).toEqual(heard('The', 0));
  expect(unseen(seen, heard('The', 0))).toBeUndefined();
  expect(unseen(seen, heard('The ses', 0))).toEqual(heard(' ses', 3));
  expect(unseen(seen, heard('ses', 4))).toBeUndefined();
  expect(unseen(seen, heard('never', 9))).toBeUndefined();
  expect(unseen(seen, heard('sion', 7))).toEqual(heard('sion', 7));
  expect(unseen(seen, heard('hm', 0, 'reasoning'))).toEqual(heard('hm', 0, 'reasoning'));
});

test('a status comes every time', () => {
  const seen = new Map<string, number>();
  expect(unseen(seen, heard('waits', 0, 'status'))).toEqual(heard('waits', 0, 'status'));
  expect(unseen(seen, heard('waits', 0, 'status'))).toEqual(heard('waits', 0, 'status'));
});

test('[P5] text in a snapshot counts as seen, and comes as one piece of each kind', () => {
  const seen = new Map<string, number>();
  const stream = { effect, attempt: 1, text: 'The ses', reasoning: 'hm', output: '' };
  expect([...streamSoFar(stream)]).toEqual([heard('hm', 0, 'reasoning'), heard('The ses', 0)]);
  noteStream(seen, { ...stream, output: 'out' });
  expect(unseen(seen, heard('sessions', 4))).toEqual(heard('sions', 7));
  expect(unseen(seen, heard('hmm', 0, 'reasoning'))).toEqual(heard('m', 2, 'reasoning'));
  expect(unseen(seen, heard('put', 3, 'output'))).toEqual(heard('put', 3, 'output'));
});
