import { parseWords } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { numberFrom } from '../number-option.ts';
import { commonOptions, jsonOption, type parseOptions, storeOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { openStoredSessions, type StoreChoice } from '../sessions/stored-sessions.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import { cancelStoredJobs, findJob, noJob, type CancelledJob } from './cancel-stored-jobs.ts';
import { jobTable, watchJobs } from './job-table.ts';
import { jobsIn } from './stored-workforce.ts';

const words = { list: 0, run: 1, cancel: 1 } as const;

const options = {
  all: {
    type: 'boolean',
    of: ['list', 'cancel'],
    help: "ended jobs too (list), or every job that hasn't ended (cancel)",
  },
  watch: { type: 'boolean', of: ['list'], help: 'show a live table until Ctrl+C' },
  concurrency: { type: 'string', value: 'N', of: ['run'], help: 'max jobs at once (default: 10)' },
  'auto-approve': { type: 'boolean', of: ['run'], help: 'approve every question; denied calls stay denied' },
  reason: { type: 'string', value: 'TEXT', of: ['cancel'], help: 'reason to record' },
  json: { ...jsonOption.json, help: 'print JSON; run: JSON Lines, the result as the last line' },
  ...storeOptions,
  ...commonOptions,
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export const jobsCommand: CliCommand = {
  usage: [
    'jobs [list] [--all] [--watch]',
    'jobs run [FILE] [--concurrency N] [--auto-approve]',
    'jobs cancel (ID | WORKER | --all) [--reason TEXT]',
  ],
  about: `Lists jobs, runs a list of jobs, and cancels jobs. In a pipe: one line per job, tab-separated, without a header.

\`run\` reads a JSON list: [{"id", "prompt", "worker"?, "agent"?, "after"?: [ids], "priority"?: urgent|high|normal|low,
"deadlineMs"?, "onFailure"?: skip|run-anyway|fail}]. Rondo checks the whole list before it runs anything. It creates
missing workers; a job without a worker gets a new one. Without FILE it resumes the jobs of earlier runs: those with
answered questions, and those whose process died. \`cancel\` also takes the name of a worker with one job: a job of a
file that names no worker has one named after its id.

Exit codes of \`run\`: 0 all completed, 1 some did not, 2 usage or configuration, 3 needs input, 130 interrupted.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('jobs', words, options, argv, 'list');
    const [name] = rest;
    if (word === 'cancel') return cancel(name, values);
    if (word === 'run') {
      const concurrency = numberFrom('concurrency', values.concurrency);
      if (concurrency === 0) throw usageError('--concurrency must be 1 or more');
      const { runJobs } = await import('./run-jobs.ts');
      return runJobs(name, { ...values, concurrency, isJson: values.json === true });
    }
    return values.watch === true ? watch(values) : list(values);
  },
};

async function list(values: Values): Promise<number> {
  await using stored = await openStoredSessions(values);
  const which = values.all === true ? 'all' : 'listed';
  const jobs = stored === undefined ? [] : await jobsIn(stored.store, { which, now: Date.now() });
  const terminal = terminalOf(process.stdout);
  if (values.json === true) printJson({ jobs });
  else if (jobs.length > 0) console.log(jobTable(jobs, terminal));
  else if (terminal.isTerminal) console.log('No jobs. Run some with `rondo jobs run FILE`.');
  return 0;
}

async function watch(values: Values): Promise<number> {
  const terminal = terminalOf(process.stdout);
  if (values.json === true) throw usageError("--watch and --json can't be combined");
  if (!terminal.isTerminal || process.env['TERM'] === 'dumb') throw usageError('--watch needs a terminal');
  await using stored = await openStoredSessions(values);
  if (stored === undefined) {
    console.log('No jobs. Run some with `rondo jobs run FILE`.');
    return 0;
  }
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  process.on('SIGINT', leave);
  process.on('SIGTERM', leave);
  try {
    await watchJobs(stored.store, {
      which: values.all === true ? 'all' : 'listed',
      terminal,
      rows: () => process.stdout.rows || 24,
      write: (text) => void process.stdout.write(text),
      signal: leaving.signal,
    });
    return 0;
  } finally {
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
  }
}

async function cancel(given: string | undefined, values: Values & StoreChoice): Promise<number> {
  const isAll = values.all === true;
  if (isAll === (given !== undefined && given !== '')) {
    throw usageError('which job? pass one id or --all; `rondo jobs` lists them');
  }
  await using stored = await openStoredSessions(values);
  if (stored === undefined && given !== undefined) throw noJob(given);
  const { store } = stored ?? {};
  const active = isAll ? await store?.jobs.jobs({ which: 'active' }) : undefined;
  const rows = given === undefined || store === undefined ? (active ?? []) : [await findJob(store, given)];
  const reason = values.reason ?? 'cancelled with rondo jobs cancel';
  const cancelled = store === undefined || rows.length === 0 ? [] : await cancelStoredJobs(store, rows, reason);
  if (values.json === true) printJson({ jobs: cancelled });
  else if (cancelled.length === 0) console.log('No jobs to cancel');
  else for (const each of cancelled) console.log(textFor(each));
  return 0;
}

function textFor(cancelled: CancelledJob): string {
  const { job } = cancelled;
  switch (cancelled.type) {
    case 'cancelled':
      return `Cancelled job ${job}.`;
    case 'asked':
      return `The process of job ${job} is cancelling it.`;
    case 'left':
      return `Cancelled job ${job}. Its process died; \`rondo jobs run\` removes it from the list.`;
    case 'over':
      return `Job ${job} is ${cancelled.state}. Nothing to cancel.`;
  }
}
