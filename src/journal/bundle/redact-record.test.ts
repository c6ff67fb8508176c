import { expect, test } from 'vitest';

import type { BlobHash, SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import { blobHashOf } from '../blob-hash.ts';
import type { Blobs } from '../../ports/blobs.ts';
import type { BundleRecord } from './bundle-line.ts';
import { createRedaction } from './redact-record.ts';

const redact = (text: string) => text.replaceAll('secret', '******');
const recordOf = (value: unknown, key?: BundleRecord['key']): BundleRecord => ({
  type: 'record',
  session: 'ses_1' as SessionId,
  first: 1,
  last: 1,
  body: JSON.stringify(value),
  ...optional({ key }),
});

function setUp(...contents: readonly string[]) {
  const read: string[] = [];
  const kept = new Map(contents.map((content) => [blobHashOf(content), content]));
  const blobs = {
    get: async (hash: BlobHash) => (read.push(hash), kept.get(hash)),
  } as unknown as Blobs;
  const redaction = createRedaction(redact, blobs);
  const cleaned = async (value: unknown) => JSON.parse((await redaction.record(recordOf(value))).body) as unknown;
  return { redaction, cleaned, read };
}

const refTo = (content: string) => ({
  blob: blobHashOf(content),
  length: content.length,
  preview: content.slice(0, 1024),
});

test('[C120] a secret is hidden in every text of a record, however deep', async () => {
  const { redaction, cleaned } = setUp();
  expect(await cleaned({ a: ['a secret', 1, null, true], b: { c: 'no' } })).toEqual({
    a: ['a ******', 1, null, true],
    b: { c: 'no' },
  });
  expect(redaction.count()).toBe(1);
  const clean = recordOf({ a: 'nothing' });
  expect(await redaction.record(clean)).toBe(clean);
  expect(redaction.count()).toBe(1);
});

test('[C120] a blob that holds a secret goes under the hash of what is left of it, and is read once', async () => {
  const content = `secret ${'x'.repeat(3000)}`;
  const text = redact(content);
  const { redaction, cleaned, read } = setUp(content);
  expect(await cleaned({ text: refTo(content) })).toEqual({ text: refTo(text) });
  expect(await cleaned({ text: refTo(content) })).toEqual({ text: refTo(text) });
  expect(read).toEqual([blobHashOf(content)]);
  expect([redaction.count(), redaction.blob(blobHashOf(text)), redaction.blob(blobHashOf(content))]).toEqual([
    3,
    text,
    undefined,
  ]);
  redaction.forgetBlobs();
  expect(redaction.blob(blobHashOf(text))).toBeUndefined();
});

test('[C120] a clean blob stays, and one that is missing shows no secret in its opening', async () => {
  const { redaction, cleaned, read } = setUp('all is well');
  const clean = refTo('all is well');
  expect(await cleaned({ text: clean })).toEqual({ text: clean });
  expect(await cleaned({ text: clean })).toEqual({ text: clean });
  expect([read.length, redaction.count()]).toEqual([1, 0]);
  const missing = { blob: blobHashOf('gone'), length: 9, preview: 'a secret' };
  expect(await cleaned({ text: missing })).toEqual({ text: { ...missing, preview: 'a ******' } });
});

test('[C120] redacts a value that only looks like a blob reference', async () => {
  const { cleaned } = setUp();
  const values = [
    { blob: 'secret', length: 'secret', preview: 'secret' },
    { blob: 'secret', preview: 'secret' },
    { length: 1, preview: 'secret' },
    { blob: 'secret', length: 1 },
  ];
  expect(await cleaned({ values })).toEqual(JSON.parse(redact(JSON.stringify({ values }))));
});

test('[C120] the digest of a key is cleaned too, which counts as no other record', async () => {
  const { redaction } = setUp();
  const keyed = recordOf({ a: 'b' }, { key: 'k', digest: 'secret' });
  expect(await redaction.record(keyed)).toEqual({ ...keyed, key: { key: 'k', digest: '******' } });
  expect(redaction.count()).toBe(0);
});
