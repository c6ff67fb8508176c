import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import {
  directoryEntry,
  first as session,
  keyedRecord,
  questionEntry,
  record,
  request,
} from '../../testing/contracts/journal-samples.ts';
import { encodeRecord } from '../codec.ts';
import { projectionTuple } from '../projection-tuple.ts';
import { appendOpOf } from './append-op.ts';

test('[P1] an append goes to the writer with its records encoded one after the other', () => {
  const records = [record('a', 'b'), keyedRecord('c', 'k', 'd')];
  const [one, two] = [encodeRecord(session, 5, record('a', 'b')), encodeRecord(session, 7, record('c'))];
  expect(appendOpOf(request(4, records))).toEqual([
    'append',
    session,
    1,
    4,
    [
      [5, 6, one.checksum, one.body, null, null],
      [7, 7, two.checksum, two.body, 'k', 'd'],
    ],
    null,
    null,
    null,
    false,
    null,
    null,
    null,
    false,
  ]);
  const more = {
    creation: { key: 'c', digest: 'e' },
    settles: [{ letter: 3, answer: 'yes' }],
    recovered: true as const,
    refersTo: ['ses_o' as SessionId],
    lost: ['hash' as never],
    leastReader: 2,
    projection: {},
    id: 'once',
  };
  expect(appendOpOf(request(0, [], more)).slice(4)).toEqual([
    [],
    [null, null, null, null],
    ['c', 'e'],
    [[3, 'yes']],
    true,
    ['ses_o'],
    ['hash'],
    2,
    true,
  ]);
});

test('[O13] a projection goes as columns', () => {
  const entry = directoryEntry(session, {
    updatedAt: 7,
    title: 'A Title',
    parent: 'ses_p' as SessionId,
    origin: { session: 'ses_o' as SessionId, at: 3 },
  });
  const projection = {
    entry,
    questionsOpened: [questionEntry(session, 'q_1', 5)],
    questionsClosed: ['q_0' as never],
    due: null,
    inFlight: true,
  };
  const json = JSON.stringify(entry);
  expect(projectionTuple(projection)).toEqual([
    [7, json, 'idle', 'default', 'ses_p', 'a title', 'ses_o', 1],
    [['q_1', 5, 'approval', '{"call":"c1"}']],
    ['q_0'],
    [null],
  ]);
  const plain = directoryEntry(session);
  expect(projectionTuple({ entry: plain, due: 9 as never })).toEqual([
    [1, JSON.stringify(plain), 'idle', 'default', null, 'a title', null, 0],
    null,
    null,
    [9],
  ]);
});
