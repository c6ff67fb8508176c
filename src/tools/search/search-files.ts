// Runs a search in a thread of its own, so that a pattern that takes for ever, or a folder without
// end, holds up nobody and is stopped when its time is over.
import path from 'node:path';
import { Worker } from 'node:worker_threads';

import type { SearchFinding, SearchJob } from './search-job.ts';
import type { SearchMessage } from './search-worker.ts';
import { messageOf } from '../define/tool-failure.ts';

export interface SearchLimits {
  readonly findings: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SearchReport {
  readonly findings: readonly SearchFinding[];
  /** `limit` and `timed-out`: there may be more than was found. */
  readonly ended: 'complete' | 'limit' | 'timed-out' | 'cancelled' | 'failed';
  readonly problem?: string;
}

/** Never rejects; the thread is gone when it settles. */
export async function searchFiles(job: SearchJob, limits: SearchLimits): Promise<SearchReport> {
  const findings: SearchFinding[] = [];
  let found = 0;
  const { promise, resolve } = Promise.withResolvers<Omit<SearchReport, 'findings'>>();
  const extension = path.extname(new URL(import.meta.url).pathname);
  const worker = new Worker(new URL(`./search-worker${extension}`, import.meta.url), {
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  worker.on('message', (message: SearchMessage) => {
    if (message.type === 'end') return resolve({ ended: 'complete' });
    for (const finding of message.findings) {
      if (finding.type !== 'skipped') found += 1;
      if (found > limits.findings) return resolve({ ended: 'limit' });
      findings.push(finding);
    }
  });
  worker.on('error', (error) => resolve({ ended: 'failed', problem: messageOf(error) }));
  worker.on('exit', () => resolve({ ended: 'failed', problem: 'the search ended early' }));
  const timer = setTimeout(() => resolve({ ended: 'timed-out' }), limits.timeoutMs);
  const cancel = () => resolve({ ended: 'cancelled' });
  limits.signal.addEventListener('abort', cancel, { once: true });
  if (limits.signal.aborted) cancel();
  const ending = await promise;
  clearTimeout(timer);
  limits.signal.removeEventListener('abort', cancel);
  await endThread(worker);
  return { ...ending, findings };
}

/**
 * A thread that is told to end while it starts up, or in the middle of a pattern that takes for ever, may
 * miss it: it is told again until it is gone.
 */
async function endThread(worker: Worker): Promise<void> {
  let isGone = false;
  const gone = worker.terminate().then(() => (isGone = true));
  while (!isGone) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, 100);
    await Promise.race([gone, promise]);
    clearTimeout(timer);
    if (!isGone) void worker.terminate();
  }
}

/** What a person or a model must know about a search that did not see everything. */
export function searchNotes(
  report: SearchReport,
  limits: { readonly findings: number; readonly timeoutMs: number },
): readonly string[] {
  const skipped = report.findings.filter((finding) => finding.type === 'skipped');
  const secret = skipped.filter(({ why }) => why === 'secret').length;
  const large = skipped.length - secret;
  return [
    ...(report.ended === 'limit'
      ? [`[Only the first ${limits.findings} are shown. Narrow the search to see others.]`]
      : []),
    ...(report.ended === 'timed-out'
      ? [
          `[Stopped after ${limits.timeoutMs / 1000} s; there may be more. Use a simpler pattern or a smaller folder.]`,
        ]
      : []),
    ...(secret > 0
      ? [`[${secret} files that may hold secrets were left out; name one as the path to search it.]`]
      : []),
    ...(large > 0 ? [`[${large} files over 8 MB were left out.]`] : []),
  ];
}
