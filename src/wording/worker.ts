import type { WorkerItem } from '../views/transcript-item.ts';

/** A worker's state. Its report follows on lines of its own. */
export function workerText({ worker, state }: WorkerItem): string {
  return `Worker ${worker.replace(/^wrk_/, '')} ${state}`;
}
