/**
 * Removes blobs that no record names. Safe beside running sessions: a session puts a blob before it
 * writes the record that names it, so what is held stays, and what was put lately by the clock; putting it
 * again renews both. A clock that is set ends no hold.
 */
import type { Store } from '../journal/store.ts';

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/** How long a blob may wait for the record that names it. */
const graceMs = 3_600_000;

export async function sweepBlobs(
  { upkeep, blobs }: Pick<Store, 'upkeep' | 'blobs'>,
  options: { readonly now: number; readonly isDry?: boolean; readonly graceMs?: number },
): Promise<Swept> {
  const since = options.now - (options.graceMs ?? graceMs);
  const named = await upkeep.namedBlobs();
  let swept: Swept = { blobs: 0, bytes: 0 };
  for await (const { hash, size, putAt, isHeld } of blobs.list()) {
    if (named.has(hash) || isHeld || putAt >= since) continue;
    const isGone = options.isDry === true || (await blobs.remove(hash, { since }));
    if (isGone) swept = { blobs: swept.blobs + 1, bytes: swept.bytes + size };
  }
  return swept;
}
