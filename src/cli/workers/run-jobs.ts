/**
 * `rondo jobs run`: files jobs, runs them in this process, and ends with one exit code. Never hangs on a question
 * that nobody can answer (P9).
 */
import path from 'node:path';

import type { Store } from '../../ports/store.ts';
import type { QuestionSubject } from '../../kernel/question.ts';
import type { TrackedJob } from './tracked-job.ts';
import { createInlineApprover } from '../run/inline-approver.ts';
import { onInterrupt } from '../run/on-interrupt.ts';
import { sessionAroundSelf } from '../../processes/around-session.ts';
import { personOnly } from '../person-only.ts';
import { storeFlagOf } from '../store-flag.ts';
import { terminalOf } from '../terminal.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { waitUntilBlocked } from './blocked-jobs.ts';
import { fileListedJobs } from './file-jobs.ts';
import { readJobFile, type ListedJob } from './job-file.ts';
import { createJobsOutput } from './jobs-output.ts';
import { exitCodeOf } from '../../views/result.ts';
import { jobsOutcomeOf, jobRecord, type AskedQuestion, type JobRecord } from './jobs-result.ts';
import { optional } from '../../kernel/optional.ts';

export interface RunJobsOptions {
  readonly cwd?: string | undefined;
  readonly store?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly 'auto-approve'?: boolean | undefined;
  readonly isJson: boolean;
}

export async function runJobs(file: string | undefined, options: RunJobsOptions): Promise<number> {
  const { store, isJson, concurrency } = options;
  const listed = file === undefined ? undefined : await readJobFile(file);
  const output = createJobsOutput({ isJson, terminal: terminalOf(process.stderr) });
  const approvesAll = options['auto-approve'] === true;
  if (approvesAll) personOnly('jobs run --auto-approve');
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY && sessionAroundSelf() === undefined;
  const isAttended = !isJson && !approvesAll && isTerminal;
  const opened = Promise.withResolvers<Store>();
  const inline = isAttended
    ? createInlineApprover({ beforeAsking: () => output.clear(), store: opened.promise })
    : undefined;
  const approve = approvesAll ? 'all' : inline?.approver;
  const cwd = path.resolve(options.cwd ?? '.');
  await using workspace = await openWorkspace({
    cwd,
    ...optional({ store, approve }),
    workers: {
      // A list from one file fits the queue, however long it is.
      ...(listed !== undefined && { queued: 100 + listed.length, queuedPerPriority: 100 + listed.length }),
      ...(concurrency !== undefined && { limits: { running: concurrency, perProvider: concurrency } }),
    },
    watch: {
      onEvent(_session, { event }) {
        if (event.type === 'question-answered' || event.type === 'question-closed')
          inline?.closed(event.question, event.type === 'question-answered' ? event.answer : undefined);
      },
    },
  });
  opened.resolve(workspace.store);
  let tracked: readonly TrackedJob[] = [];
  let isInterrupted = false;
  const cancelAll = () => Promise.all(tracked.map(({ job }) => job.cancel('interrupted from the terminal')));
  const stopListening = onInterrupt({
    cancel() {
      isInterrupted = true;
      // If it is too late to cancel a job, its own ending explains why.
      void cancelAll().catch(() => undefined);
    },
    // The keeper ends the remaining processes. The jobs stay and can be resumed.
    leave: () => process.exit(130),
  });
  try {
    tracked = await (listed === undefined
      ? takeUp(workspace, output.state)
      : fileListedJobs(workspace, listed, { file: file ?? '', cwd, onState: output.state }));
    output.start(tracked.map(({ label }) => label));
    if (isInterrupted) await cancelAll();
    const results = await endsOf(workspace, tracked, {
      isAttended: isAttended || approvesAll,
      onEnd: (record) => output.ended(record),
    });
    const questions = await questionsOf(workspace, tracked, results);
    const jobs = await recordsOf(tracked, results, listed);
    const outcome = jobsOutcomeOf(jobs, { isInterrupted, isAsked: questions.length > 0 });
    const storeFlag = storeFlagOf(store);
    output.result({ type: 'result', outcome, jobs, questions, resume: `rondo jobs run${storeFlag}` }, storeFlag);
    return exitCodeOf(outcome);
  } finally {
    output.clear();
    stopListening();
  }
}

/** Resumes the store's remaining jobs in this process. */
async function takeUp(
  { rondo }: Workspace,
  onState: (label: string, state: JobRecord['state']) => void,
): Promise<readonly TrackedJob[]> {
  const rows = await rondo.jobs.list({ which: 'active' });
  const ids = new Set<string>(rows.map(({ id }) => id));
  rondo.workers.onEvent((event) => {
    if (event.type === 'job-changed' && ids.has(event.job)) onState(event.job, event.state);
  });
  const jobs = await Promise.all(rows.map(({ id }) => rondo.jobs.get(id)));
  await rondo.adopt();
  return jobs.flatMap((job) => (job === undefined ? [] : [{ label: job.id, job }]));
}

interface Watch {
  /** True if a person can answer, so an open question doesn't end the run. */
  readonly isAttended: boolean;
  readonly onEnd: (record: JobRecord) => void;
}

type Results = ReadonlyMap<string, JobRecord>;

/** Waits until all jobs have ended or are blocked on a person. */
async function endsOf(
  workspace: Workspace,
  tracked: readonly TrackedJob[],
  { isAttended, onEnd }: Watch,
): Promise<Results> {
  const results = new Map<string, JobRecord>();
  const labels = new Map(tracked.map(({ label, job }) => [job.id, label]));
  const all = Promise.all(
    tracked.map(async ({ label, job }) => {
      const result = await job.wait();
      const record = jobRecord(label, result, labels);
      results.set(label, record);
      onEnd(record);
    }),
  );
  if (isAttended) await all;
  else {
    const over = new AbortController();
    const blocked = waitUntilBlocked(workspace, tracked, over.signal);
    await Promise.race([all, blocked]);
    over.abort();
    await blocked;
  }
  return new Map(results);
}

async function questionsOf(
  { rondo }: Workspace,
  tracked: readonly TrackedJob[],
  results: Results,
): Promise<readonly AskedQuestion[]> {
  const open = tracked.filter(({ label }) => !results.has(label));
  const questions = await Promise.all(
    open.map(async ({ label, job }) => {
      const answer = await rondo.jobs.result(job.id);
      const session = answer?.isDone === false ? answer.row.run?.session : undefined;
      const questions = session === undefined ? [] : await rondo.jobs.questions(session);
      return questions.map(({ id, openedAt, about }) => ({
        job: label,
        question: { id, openedAt, about: JSON.parse(about) as QuestionSubject },
      }));
    }),
  );
  return questions.flat();
}

/** In file order. */
async function recordsOf(
  tracked: readonly TrackedJob[],
  results: Results,
  listed: readonly ListedJob[] = [],
): Promise<readonly JobRecord[]> {
  const place = (label: string) => listed.find(({ id }) => id === label)?.place ?? 0;
  return Promise.all(
    tracked
      .toSorted((a, b) => place(a.label) - place(b.label))
      .map(async ({ label, job }) => {
        return results.get(label) ?? { id: label, job: job.id, state: await job.state() };
      }),
  );
}
