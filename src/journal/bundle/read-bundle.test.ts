import { expect, test } from 'vitest';

import type { SessionId } from '../../kernel/ids.ts';
import { record } from '../../testing/contracts/journal-samples.ts';
import { blobHashOf } from '../blob-hash.ts';
import { encodeRecord } from '../codec.ts';
import { createChain } from './bundle-line.ts';
import { readBundle } from './read-bundle.ts';

const session = 'ses_1' as SessionId;
const head = { type: 'bundle', format: 1, rondo: '9.9.9', session, head: 3, at: 1 };
const about = { type: 'session', session, head: 3, role: 'main' };
const recordLine = (first: number, ...names: readonly string[]) => {
  const { body, last } = encodeRecord(session, first, record(...names));
  return { type: 'record', session, first, last, body };
};
const [one, two] = [recordLine(1, 'a', 'b'), recordLine(3, 'c')];
const blob = { type: 'blob', hash: blobHashOf('content'), content: 'content' };
const end = { type: 'end', records: 2, blobs: 1, redacted: 0, missing: [], leftOut: [] };
const whole = [head, about, blob, one, two, end];

/** Lines with the integrity hash that each must have. */
function bundleOf(lines: readonly (object | string)[]): string {
  const link = createChain();
  return lines
    .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    .map((json) => `${link(json)} ${json}\n`)
    .join('');
}

async function read(text: string, size = text.length) {
  async function* chunks() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const items = await Array.fromAsync(readBundle(chunks(), 'Importing it'));
  return items.map((item) => (item.type === 'problem' ? item.what : item.type));
}

const readLines = (...lines: readonly (object | string)[]) => read(bundleOf(lines));
const types = ['bundle', 'session', 'blob', 'record', 'record', 'end'];

test.each([1, 7, 100_000])('[C120] a whole bundle is read, in pieces of %i letters', async (size) => {
  expect(await read(bundleOf(whole), size)).toEqual(types);
});

test('[C120][P1] detects a truncated bundle: inside a line, after one, or before its first record', async () => {
  const text = bundleOf(whole);
  const behind = 'behind the record at 3 of session ses_1: the bundle is cut off there';
  expect(await read(text.slice(0, -1))).toEqual([...types.slice(0, 5), behind]);
  expect(await read(text.slice(0, -20))).toEqual([...types.slice(0, 5), behind]);
  expect(await read(bundleOf(whole.slice(0, 5)))).toEqual([...types.slice(0, 5), behind]);
  expect(await read(bundleOf(whole.slice(0, 3)))).toEqual([
    ...types.slice(0, 3),
    'before its first record: the bundle is cut off there',
  ]);
});

test('[C120] rejects anything after the end, even half a line', async () => {
  const behind = 'behind the record at 3 of session ses_1: the bundle is cut off there';
  expect(await read(`${bundleOf(whole)}more`)).toEqual([...types, behind]);
});

test.each(['', 'nothing of ours', 'nothing of ours\n', '{"some":"json"}', '# Notes\n\nof a day'])(
  '[C120] a file that is no bundle is called that: %j',
  async (text) => {
    expect(await read(text)).toEqual(["it isn't a Rondo bundle"]);
  },
);

test('[C120] names a changed, moved or malformed line', async () => {
  const text = bundleOf(whole);
  expect(await read(text.replace('"content":"content"', '"content":"changed"'))).toEqual([
    ...types.slice(0, 2),
    `blob ${blob.hash} does not match its integrity hash`,
  ]);
  expect(await read(text.replace(/^.{10}/, '0000000000'))).toEqual(['its head does not match its integrity hash']);
  expect(await read(text.replace(' {', '_{'))).toEqual(['its head does not match its integrity hash']);
  expect(await readLines(head, '{"type":')).toEqual(['bundle', "line 2 isn't JSON"]);
});

test.each<[string, readonly (object | string)[], string]>([
  ['a head that is missing', [about], 'its head is missing'],
  ['a second head', [head, head], 'it has two heads'],
  ['a line behind the end', [...whole, blob], `blob ${blob.hash} stands behind the end`],
  ['a blob of other content', [head, { ...blob, content: 'x' }], `blob ${blob.hash} does not match its content`],
  [
    'a record of another session',
    [head, { ...about, session: 'ses_2' }, one],
    'the record at 1 to 2 of session ses_1 stands with another session',
  ],
  [
    'a record without its session',
    [head, one],
    'the record at 1 to 2 of session ses_1 stands with another session',
  ],
  ['a record that is left out', [head, about, two], 'the record at 3 of session ses_1 follows event 0'],
  [
    'a record with other events than it says',
    [head, about, { ...one, last: 3 }],
    'the record at 1 to 3 of session ses_1 cannot be read: it holds 2 events instead of 3',
  ],
  [
    'a session that ends early',
    [head, about, one, { ...about, session: 'ses_2' }],
    'session ses_1 ends at event 2 instead of 3',
  ],
  ['a session that ends early at the end', [head, about, one, end], 'session ses_1 ends at event 2 instead of 3'],
  [
    'another number of records',
    [head, about, blob, one, two, { ...end, records: 3 }],
    'its last line states other counts of records and blobs',
  ],
  [
    'another number of blobs',
    [head, about, blob, one, two, { ...end, blobs: 2 }],
    'its last line states other counts of records and blobs',
  ],
])('[C120] %s is found out', async (_, lines, problem) => {
  expect((await readLines(...lines)).at(-1)).toBe(problem);
});

test.each<[string, object]>([
  ['a head without a format', { ...head, format: '1' }],
  ['a head without a version', { ...head, rondo: 1 }],
])('[C120] %s is no line of a bundle', async (_, line) => {
  expect(await readLines(line)).toEqual(["line 1 isn't JSON"]);
});

test.each<[string, object]>([
  ['a session of an unknown role', { ...about, role: 'cousin' }],
  ['a session without a name', { ...about, session: 1 }],
  ['a session of half an event', { ...about, head: 0.5 }],
  ['a blob without content', { type: 'blob', hash: blob.hash }],
  ['a record without a body', { ...one, body: 1 }],
  ['a record with a key that is a text', { ...one, key: 'k' }],
  ['a record with a key that is null', { ...one, key: null }],
  ['a record with a key without its digest', { ...one, key: { key: 'k' } }],
  ['a record with a digest without its key', { ...one, key: { digest: 'd' } }],
  ['a record with a key that is a number', { ...one, key: { key: 1, digest: 'd' } }],
  ['a record with a digest that is a number', { ...one, key: { key: 'k', digest: 1 } }],
  ['an end without its lists', { ...end, missing: 'none' }],
  ['an end without what was left out', { ...end, leftOut: undefined }],
  ['an end without its counts', { ...end, redacted: undefined }],
  ['a line of an unknown type', { type: 'other' }],
  ['a list', []],
])('[C120] %s is no line of a bundle', async (_, line) => {
  expect(await readLines(head, line)).toEqual(['bundle', "line 2 isn't JSON"]);
});

test('[C120] a record may have a key', async () => {
  const keyed = { ...one, key: { key: 'k', digest: 'd' } };
  expect(await readLines(head, about, blob, keyed, two, end)).toEqual(types);
});

test('[C120] sessions follow each other when each is whole', async () => {
  const other = { type: 'session', session: 'ses_2', head: 0, role: 'shared' };
  expect(await readLines(head, about, blob, one, two, other, end)).toEqual([
    ...types.slice(0, 5),
    'session',
    'end',
  ]);
});

test('[C120][P11] refuses a newer format or an unknown event, without calling it damaged', async () => {
  await expect(readLines({ ...head, format: 99 })).rejects.toThrow(
    'Importing it: its format 99 was written by Rondo 9.9.9, which is newer than this one.',
  );
  const body = encodeRecord(session, 1, { ...record('a'), events: ['{"type":"of-tomorrow"}'] }).body;
  const line = { type: 'record', session, first: 1, last: 1, body };
  await expect(readLines(head, about, line)).rejects.toThrow(
    "Importing it: Can't read session ses_1: its event 1",
  );
  await expect(readLines(head, about, line)).rejects.toThrow('it was written by Rondo 9.9.9');
});

test('[C120][S1] an event that is not as Rondo writes it is refused', async () => {
  const body = encodeRecord(session, 1, { ...record('a'), events: ['{"type":"turn-started"}'] }).body;
  const line = { type: 'record', session, first: 1, last: 1, body };
  expect((await readLines(head, about, line)).at(-1)).toContain(
    'the record at 1 of session ses_1 cannot be taken: its event 1',
  );
});
