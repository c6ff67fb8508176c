/**
 * Long content of inputs that the journal doesn't contain yet. It stays here until the record that names its blob
 * is written. If a sweep deletes the blob in between, it is stored again.
 */
import type { Blobs } from '../../ports/blobs.ts';
import type { NewRecord } from '../../ports/journal.ts';
import type { BlobHash } from '../../kernel/ids.ts';

export interface UnwrittenBlobs {
  contents: Map<BlobHash, string> | undefined;
  /** Named by a record, but their content is no longer available. */
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

/** `isLast`: no other input is pending, so whatever remains belonged to refused inputs. */
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
