import { previewOf } from '../kernel/content.ts';
import { oneLine } from '../views/one-line.ts';
import type { WorkerItem } from '../views/transcript-item.ts';

/** A worker's report. */
export function workerText({ worker, state, text }: WorkerItem): string {
  const report = text === undefined ? '' : `: ${oneLine(previewOf(text))}`;
  return `Worker ${worker.replace(/^wrk_/, '')} ${state}${report}`;
}
