// Runs a search in a separate thread, so that a runaway pattern or an endless folder blocks nothing and is stopped
// at its timeout.
import path from 'node:path';
import { Worker } from 'node:worker_threads';

import type { SearchFinding, SearchJob } from './search-job.ts';
import type { SearchMessage } from './search-worker.ts';
import { messageOf } from '../define/tool-failure.ts';

interface SearchLimits {
  readonly findings: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface SearchReport {
  readonly findings: readonly SearchFinding[];
  /** `limit` and `timed-out`: there may be more results. */
  readonly ended: 'complete' | 'limit' | 'timed-out' | 'cancelled' | 'failed';
  readonly problem?: string;
}

/** Never rejects. The thread has ended when it settles. */
export async function searchFiles(job: SearchJob, limits: SearchLimits): Promise<SearchReport> {
  const findings: SearchFinding[] = [];
  let count = 0;
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
      if (finding.type !== 'skipped') count += 1;
      if (count > limits.findings) return resolve({ ended: 'limit' });
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
 * A thread may miss the request to end during start-up or inside a runaway pattern, so it is repeated until the
 * thread exits.
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

/** Notes for users and models about an incomplete search. */
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
          `[Stopped after ${limits.timeoutMs / 1000} s. There may be more results. Use a simpler pattern or a smaller folder.]`,
        ]
      : []),
    ...(secret > 0
      ? [`[${secret} files that may contain secrets were skipped. Pass one as path to search it.]`]
      : []),
    ...(large > 0 ? [`[${large} files over 8 MB were skipped.]`] : []),
  ];
}
