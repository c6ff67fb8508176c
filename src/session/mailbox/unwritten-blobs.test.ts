import { expect, test } from 'vitest';

import { createMemoryBlobs, type MemoryBlob } from '../../journal/memory-blobs.ts';
import { system } from '../../kernel/actor.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import { forgetWritten, newUnwrittenBlobs, putAgain, putRemembered } from './unwritten-blobs.ts';

/** Two long contents that aren't in the journal yet. */
async function setUp() {
  const kept = new Map<BlobHash, MemoryBlob>();
  const blobs = createMemoryBlobs(kept);
  const unwritten = newUnwrittenBlobs();
  const first = await putRemembered(unwritten, blobs, 'first');
  const second = await putRemembered(unwritten, blobs, 'second');
  const record = { at: 1, by: system, events: ['{"type":"noted"}', `{"blob":"${first}"}`] };
  return { kept, blobs, unwritten, first, second, record };
}

test('[P1] content that a sweep deleted before its record was written is put again; what nobody has is lost', async () => {
  const { kept, blobs, unwritten, first, second } = await setUp();
  kept.clear();
  const unknown = '0'.repeat(64) as BlobHash;
  await putAgain(unwritten, blobs, [first, unknown]);
  expect(await blobs.get(first)).toBe('first');
  expect(await blobs.get(second)).toBeUndefined();
  expect(unwritten.lost).toEqual([unknown]);
});

test('[P10] content is forgotten once its record is written, and kept as long as another is on its way', async () => {
  const { unwritten, second, record } = await setUp();
  forgetWritten(unwritten, [record], { isLast: false });
  expect(unwritten).toEqual({ contents: new Map([[second, 'second']]), lost: [] });
});

test('[P10] with the last input on its way the content of refused ones is forgotten, too', async () => {
  const { unwritten, record } = await setUp();
  forgetWritten(unwritten, [record], { isLast: true });
  expect(unwritten).toEqual(newUnwrittenBlobs());
});
