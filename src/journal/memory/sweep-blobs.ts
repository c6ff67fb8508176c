import type { BlobHash } from '../../kernel/ids.ts';
import { type SweepOptions, type Swept } from '../../ports/blobs.ts';
import { markState } from '../blob-mark.ts';
import { blobsNamedIn } from '../references.ts';
import type { Shared } from './shared.ts';

/** Blobs named by records, set-aside records and unanswered letters. */
export function referencedBlobs(shared: Shared): ReadonlySet<BlobHash> {
  const records = [...shared.sessions.values()].flatMap((session) => session.records);
  const letters = [...shared.messages.values()].filter(({ answer }) => answer === undefined);
  const bodies = [
    ...records.flatMap(({ record }) => record.events),
    ...shared.setAside.map(({ body }) => body),
    ...letters.map(({ body }) => body),
  ];
  return new Set(bodies.flatMap(blobsNamedIn));
}

export function sweepMemoryBlobs(shared: Shared, { now, uptime, isDry, waitMs }: SweepOptions): Swept {
  const referenced = referencedBlobs(shared);
  let blobs = 0;
  let bytes = 0;
  let waiting = 0;
  for (const [hash, blob] of shared.blobs) {
    if (referenced.has(hash)) continue;
    const seen = { at: now, uptime, boot: 'memory', putAt: blob.putAt };
    const state = markState(blob.mark, seen, waitMs);
    if (state === 'over') {
      blobs += 1;
      bytes += Buffer.byteLength(blob.content);
      if (isDry !== true) shared.blobs.delete(hash);
      continue;
    }
    waiting += 1;
    if (state === 'outdated' && isDry !== true) shared.blobs.set(hash, { ...blob, mark: seen });
  }
  return { blobs, bytes, waiting };
}
