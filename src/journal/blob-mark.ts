import type { Swept } from '../ports/blobs.ts';

export const nothingSwept: Swept = { blobs: 0, bytes: 0, waiting: 0 };

/** When a sweep first saw that a blob is unreferenced. */
export interface BlobMark {
  readonly at: number;
  readonly uptime: number;
  /** The boot that `uptime` counts from. */
  readonly boot: string;
  /** When the blob was put. A different time means that it was put again. */
  readonly putAt: number;
}

type MarkState = 'over' | 'waiting' | 'outdated';

/** Two clocks must agree that the wait is over. After a reboot only one of them is available. */
export function markState(
  mark: BlobMark | undefined,
  seen: BlobMark,
  waitMs: number | undefined = 86_400_000,
): MarkState {
  if (mark === undefined || mark.putAt !== seen.putAt || mark.at > seen.at) return 'outdated';
  const isUpLong = mark.boot !== seen.boot || seen.uptime - mark.uptime >= waitMs;
  return isUpLong && seen.at - mark.at >= waitMs ? 'over' : 'waiting';
}
