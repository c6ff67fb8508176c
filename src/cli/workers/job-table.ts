import type { Store } from '../../ports/store.ts';
import { oneLine } from '../../views/one-line.ts';
import { costText } from '../../wording/cost.ts';
import { durationText } from '../../wording/duration.ts';
import { tableText, type Row } from '../../wording/table.ts';
import type { Terminal, Tone } from '../../wording/terminal-style.ts';
import type { JobView } from '../../ports/workforce.ts';
import { jobsIn } from './stored-workforce.ts';

const columns = [
  'id',
  'worker',
  'state',
  'priority',
  { title: 'prompt', gives: true },
  { title: 'elapsed', align: 'right' },
  { title: 'cost', align: 'right' },
] as const;

export function jobTable(jobs: readonly JobView[], terminal: Terminal): string {
  const rows = jobs.map((job): Row => [
    job.id,
    job.worker,
    { text: job.state, tone: toneOf[job.state] },
    job.priority,
    oneLine(job.prompt),
    job.elapsedMs === undefined ? '-' : durationText(job.elapsedMs),
    job.spent === undefined ? '-' : costText(job.spent),
  ]);
  return tableText(columns, rows, terminal);
}

const toneOf: Readonly<Record<JobView['state'], Tone>> = {
  queued: 'quiet',
  running: 'good',
  waiting: 'warning',
  stalled: 'warning',
  cancelling: 'warning',
  completed: 'quiet',
  failed: 'bad',
  cancelled: 'quiet',
  'timed-out': 'bad',
};

interface WatchOptions {
  readonly which: 'listed' | 'all';
  readonly terminal: Terminal;
  readonly rows: () => number;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Redraws the table on each change until the signal aborts. Shows the newest jobs that fit. */
export async function watchJobs(
  store: Store,
  { which, terminal, rows, write, signal }: WatchOptions,
): Promise<void> {
  let drawn = 0;
  let wake: (() => void) | undefined;
  const stop = store.jobs.onChange(() => wake?.());
  signal.addEventListener('abort', () => wake?.(), { once: true });
  try {
    while (!signal.aborted) {
      const jobs = await jobsIn(store, { which, now: Date.now() });
      const fitting = jobs.slice(-Math.max(1, rows() - 3));
      const hidden = jobs.length - fitting.length;
      const lines = jobs.length === 0 ? ['No jobs'] : jobTable(fitting, terminal).split('\n');
      lines.push(terminal.paint.quiet(`${hidden > 0 ? `${hidden} older jobs not shown. ` : ''}Ctrl+C leaves.`));
      write(`${drawn > 0 ? `\u001B[${drawn}A` : ''}\r\u001B[J${lines.join('\n')}\n`);
      drawn = lines.length;
      await pause(1000, (resolve) => (wake = resolve));
    }
  } finally {
    stop();
  }
}

/** Waits briefly, so that one redraw covers many changes. */
async function pause(ms: number, onWake: (resolve: () => void) => void): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  onWake(() => setTimeout(over.resolve, 100));
  await over.promise;
  clearTimeout(timer);
}
