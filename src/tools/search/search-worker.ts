// The thread of a search: sends its results in batches, then `end`.
import { parentPort, workerData } from 'node:worker_threads';

import { search, type SearchFinding, type SearchJob } from './search-job.ts';

export type SearchMessage =
  | { readonly type: 'found'; readonly findings: readonly SearchFinding[] }
  | { readonly type: 'end' };

const BATCH = 50;

let batch: SearchFinding[] = [];
let sent = Date.now();
for (const finding of search(workerData as SearchJob)) {
  batch.push(finding);
  if (batch.length < BATCH && Date.now() - sent < 100) continue;
  post({ type: 'found', findings: batch });
  batch = [];
  sent = Date.now();
}
post({ type: 'found', findings: batch });
post({ type: 'end' });

function post(message: SearchMessage): void {
  parentPort?.postMessage(message, []);
}
