/**
 * Long content of inputs on its way into the journal. It is kept here until the record that names its blob is
 * written: should a sweep delete the blob in between, it is put again.
 */
import type { Blobs } from '../../ports/blobs.ts';
import type { NewRecord } from '../../ports/journal.ts';
import type { BlobHash } from '../../kernel/ids.ts';

export interface UnwrittenBlobs {
  contents: Map<BlobHash, string> | undefined;
  /** Named although nobody has their content any more. */
  lost: readonly BlobHash[];
}

export const newUnwrittenBlobs = (): UnwrittenBlobs => ({ contents: undefined, lost: [] });

export async function putRemembered(unwritten: UnwrittenBlobs, blobs: Blobs, content: string): Promise<BlobHash> {
  const hash = await blobs.put(content);
  unwritten.contents ??= new Map();
  unwritten.contents.set(hash, content);
  return hash;
}

export async function putAgain(
  unwritten: UnwrittenBlobs,
  blobs: Blobs,
  missing: readonly BlobHash[],
): Promise<void> {
  for (const hash of missing) {
    const content = unwritten.contents?.get(hash);
    if (content === undefined) unwritten.lost = [...unwritten.lost, hash];
    else await blobs.put(content);
  }
}

/** `isLast`: no other input is on its way, so that what is left belonged to inputs that were refused. */
export function forgetWritten(
  unwritten: UnwrittenBlobs | undefined,
  records: readonly NewRecord[],
  { isLast }: { readonly isLast: boolean },
): void {
  const { contents } = unwritten ?? {};
  if (unwritten === undefined || contents === undefined) return;
  if (isLast) unwritten.contents = undefined;
  else
    for (const hash of contents.keys())
      if (records.some(({ events }) => events.some((event) => event.includes(hash)))) contents.delete(hash);
}
