import type { WorkerItem } from '../views/transcript-item.ts';

/** A worker's state. Its report follows on separate lines. */
export function workerText({ worker, state }: WorkerItem): string {
  return `Worker ${worker.replace(/^wrk_/, '')} ${state}`;
}
