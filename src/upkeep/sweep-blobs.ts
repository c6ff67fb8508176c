/** Deletes blobs a day after a sweep first found them unreferenced. Safe beside running sessions. */
import os from 'node:os';

import type { Swept } from '../ports/blobs.ts';
import type { Store } from '../ports/store.ts';

export function sweepBlobs(
  { upkeep }: Pick<Store, 'upkeep'>,
  options: { readonly now: number; readonly uptime?: number; readonly isDry?: boolean },
): Promise<Swept> {
  return upkeep.sweepBlobs({ uptime: os.uptime() * 1000, ...options });
}
