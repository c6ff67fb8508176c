import { expect, it } from 'vitest';

import { system } from '../kernel/actor.ts';
import type { SessionId } from '../kernel/ids.ts';
import { ada, record, recorded } from '../testing/contracts/journal-samples.ts';
import { checksumOf } from './checksum.ts';
import { decodeRecord, encodeRecord } from './codec.ts';
import { type StoredRecord } from '../ports/stored-record.ts';
import { rondoVersion } from './rondo-version.ts';
import { createUpcasts } from './upcast.ts';

const session = 'ses_1' as SessionId;

it('stores the texts of the events as they are, under a version and a checksum', () => {
  const body =
    '{"v":1,"at":1000,"by":{"type":"person","name":"Ada"},"e":[{"type":"custom","name":"a","data":null}]}';
  expect(encodeRecord(session, 7, record('a'))).toEqual({
    session,
    first: 7,
    last: 7,
    body,
    checksum: checksumOf(session, 7, body),
  });
});

it('reads back what it wrote', () => {
  expect(decodeRecord(encodeRecord(session, 7, record('a', 'b')))).toEqual({
    type: 'decoded',
    events: recorded(7, 'a', 'b'),
  });
});

it('leaves the system out as actor and puts it back', () => {
  const stored = encodeRecord(session, 1, { ...record('a'), by: system });
  expect(stored.body).toBe('{"v":1,"at":1000,"e":[{"type":"custom","name":"a","data":null}]}');
  expect(decodeRecord(stored)).toEqual({
    type: 'decoded',
    events: [{ seq: 1, at: 1000, by: system, event: { type: 'custom', name: 'a', data: null } }],
  });
});

it('counts any changed byte and any other place as damage', () => {
  const stored = encodeRecord(session, 7, record('a'));
  const damaged = { type: 'damaged', reason: 'its checksum does not match' };
  for (let index = 0; index < stored.body.length; index += 1) {
    const flipped = String.fromCharCode(stored.body.charCodeAt(index) ^ 1);
    const body = stored.body.slice(0, index) + flipped + stored.body.slice(index + 1);
    expect(decodeRecord({ ...stored, body })).toEqual(damaged);
  }
  expect(decodeRecord({ ...stored, body: stored.body.slice(0, -1) })).toEqual(damaged);
  expect(decodeRecord({ ...stored, first: 8, last: 8 })).toEqual(damaged);
  expect(decodeRecord({ ...stored, session: 'ses_2' as SessionId })).toEqual(damaged);
});

it.each([
  ['', 'it is not a record'],
  ['[]', 'it is not a record'],
  ['{"v":0,"at":1,"e":[{"type":"custom"}]}', 'it is not a record'],
  ['{"v":1,"e":[{"type":"custom"}]}', 'it is not a record'],
  ['{"v":1,"at":1,"by":"Ada","e":[{"type":"custom"}]}', 'it is not a record'],
  ['{"v":1,"at":1,"e":["custom"]}', 'it is not a record'],
  ['{"v":1,"at":1,"e":[]}', 'it holds 0 events instead of 1'],
  ['{"v":1,"at":1,"e":[{"name":"no type"}]}', 'it holds an event without a type'],
])('says what is wrong with %j', (body, reason) => {
  expect(decodeRecord(storedAs(body))).toEqual({ type: 'damaged', reason });
});

it('refuses a record of a newer Rondo by its version, and says that nothing is damaged', () => {
  expect(() => decodeRecord(storedAs('{"v":2,"at":1,"e":[{"type":"telepathy"}]}'))).toThrow(
    expect.objectContaining({
      code: 'unreadable',
      message:
        "Can't read session ses_1: its record at 1 has version 2 and was written by a newer Rondo; " +
        'this one reads up to version 1. Nothing is damaged: upgrade Rondo to open it.',
    }),
  );
});

it.each(['telepathy', 'toString'])(
  'refuses an event of the kind %s by its name and the version that wrote it [P11]',
  (type) => {
    const stored = storedAs(JSON.stringify({ v: 1, at: 1, e: [{ type }] }));
    const message = (writer: string) =>
      `Can't read session ses_1: its event 1 is of the kind "${type}", which this Rondo (${rondoVersion()}) does not know; ` +
      `it was written by ${writer}. Nothing is damaged: upgrade Rondo to open it.`;
    expect(() => decodeRecord(stored)).toThrow(
      expect.objectContaining({ code: 'unreadable', message: message('a newer Rondo') }),
    );
    expect(() => decodeRecord({ ...stored, writtenBy: () => '9.1.0' })).toThrow(
      expect.objectContaining({ code: 'unreadable', message: message('Rondo 9.1.0') }),
    );
  },
);

it("brings the events of any older version to today's, step by step [P11]", () => {
  const upcasts = createUpcasts([
    (event) => (event['type'] === 'noted' ? { type: 'custom', label: event['label'] } : event),
    (event) => (event['type'] === 'custom' ? { type: 'custom', name: event['label'], data: null } : event),
  ]);
  expect(upcasts.current).toBe(3);
  const expected = { type: 'decoded', events: recorded(1, 'a') };
  const by = JSON.stringify(ada);
  for (const body of [
    `{"v":1,"at":1000,"by":${by},"e":[{"type":"noted","label":"a"}]}`,
    `{"v":2,"at":1000,"by":${by},"e":[{"type":"custom","label":"a"}]}`,
    `{"v":3,"at":1000,"by":${by},"e":[{"type":"custom","name":"a","data":null}]}`,
  ]) {
    expect(decodeRecord(storedAs(body), upcasts)).toEqual(expected);
  }
});

function storedAs(body: string): StoredRecord {
  return { session, first: 1, last: 1, body, checksum: checksumOf(session, 1, body) };
}
