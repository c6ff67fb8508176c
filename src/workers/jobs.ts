/** The programmatic interface to jobs. */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { CancelAnswer, JobQuery, JobRow } from '../ports/job-queue.ts';
import type { QuestionEntry } from '../ports/journal.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { limitsWithin } from './allotted.ts';
import type { Canceller } from './cancel-jobs.ts';
import type { JobEndings } from './job-endings.ts';
import { textOfJob } from './job-text.ts';
import { resultOfRow, type Job, type JobResult } from './job.ts';
import { tellParent } from './parent-reports.ts';
import type { Scheduler } from './scheduler.ts';
import type { WorkerParts } from './worker-parts.ts';
import type { JobView } from '../ports/workforce.ts';
import { jobViews, viewsOf, type WorkforceSource } from './workforce-view.ts';

/** The job queue: waiting, running and ended jobs. */
export interface Jobs {
  get(id: string): Promise<Job | undefined>;
  /** Active jobs and the newest ended ones. `which: 'all'` returns every job. */
  list(query?: JobQuery): Promise<readonly JobRow[]>;
  /** The same jobs, formatted for people. */
  overview(query?: JobQuery): Promise<readonly JobView[]>;
  /** One job, also long after it has left the list. */
  view(id: string): Promise<JobView | undefined>;
  /** Doesn't wait. Works long after the job has left the list. */
  result(id: string): Promise<JobAnswer | undefined>;
  /** Jobs that were abandoned because their process died too often. */
  deadLetters(): Promise<readonly JobRow[]>;
  /** Open questions of a session and of everything that works for it. */
  questions(session: SessionId): Promise<readonly QuestionEntry[]>;
  cancelAll(reason?: string): Promise<readonly CancelAnswer[]>;
  /** Interrupts a session and cancels everything that works for it, directly or indirectly. */
  cancelTree(session: SessionId, reason?: string): Promise<readonly CancelAnswer[]>;
}

type JobAnswer =
  | { readonly isDone: false; readonly row: JobRow }
  | { readonly isDone: true; readonly result: JobResult };

export interface JobsParts {
  readonly endings: JobEndings;
  readonly scheduler: Scheduler;
  readonly canceller: Canceller;
}

export function createJobs(parts: WorkerParts, { canceller }: JobsParts, handle: (row: JobRow) => Job): Jobs {
  const { queue, sessions, clock } = parts;
  const source: WorkforceSource = { queue, stateOf: (session) => sessions.state(session) };
  return {
    async get(id) {
      const row = await queue.job(id as JobId);
      return row === undefined ? undefined : handle(row);
    },
    list: (query = {}) => queue.jobs({ which: 'listed', ...query }),
    overview: (query = {}) => jobViews(source, { ...query, now: clock.now() }),
    async view(id) {
      const row = await queue.job(id as JobId);
      return row === undefined ? undefined : (await viewsOf(source, [row], clock.now()))[0];
    },
    async result(id) {
      const row = await queue.job(id as JobId);
      if (row === undefined) return undefined;
      if (!hasEnded(row.state)) return { isDone: false, row };
      return { isDone: true, result: resultOfRow(row, await textOfJob(row, sessions)) };
    },
    deadLetters: () => queue.jobs({ which: 'dead' }),
    questions: (session) => questionsFrom(parts, session),
    cancelAll: async (reason) => canceller.jobs(await queue.jobs({ which: 'active' }), reason),
    async cancelTree(session, reason) {
      await sessions.open(session).interrupt(reason);
      return canceller.below(session, reason);
    },
  };
}

async function questionsFrom(parts: WorkerParts, session: SessionId): Promise<readonly QuestionEntry[]> {
  const { queue, journal } = parts;
  const own = await journal.openQuestions({ session });
  const below = (await queue.workers({ parent: session })).flatMap((worker) => worker.session ?? []);
  const theirs = await Promise.all(below.map((child) => questionsFrom(parts, child)));
  return [...own, ...theirs.flat()];
}

export function createJobHandle(
  parts: WorkerParts,
  { endings, scheduler, canceller }: JobsParts,
  { id, worker, digest }: JobRow,
): Job {
  const { queue, sessions } = parts;
  const resultFrom = async (row: JobRow) => resultOfRow(row, await textOfJob(row, sessions));
  return {
    id,
    worker,
    ...optional({ digest }),
    state: async () => (await queue.job(id))?.state ?? 'cancelled',
    wait: async () => resultFrom(await endings.wait(id)),
    cancel: (reason) => canceller.job(id, reason),
    onEnd: (key, call) =>
      endings.continueWith(id, key, (row) => {
        resultFrom(row)
          .then(call)
          .catch((error: unknown) => {
            parts.onProblem(`continuation ${key} of job ${id} failed`, { job: id, error: String(error) });
          });
      }),
    async resolve(resolution) {
      const answer = await queue.resolve(id, resolution);
      if (answer.type === 'marked' && resolution === 'archive') await canceller.marked(answer.job, 'archived');
      if (answer.type === 'marked') scheduler.wake();
      return answer;
    },
    async extend(allotment) {
      const row = await queue.job(id);
      const seat = await queue.worker(worker);
      if (row?.run === undefined || seat === undefined) {
        return { type: 'refused', refusal: { code: 'not-found', message: `job ${id} does not run` } };
      }
      const { run, parent } = row;
      if (parent !== undefined) {
        const report = { worker, state: 'progressed', job: id, allotment, text: 'has more to spend' } as const;
        const delivery = await tellParent(parts, parent, seat, report);
        if (delivery.type === 'refused') return delivery;
      }
      const limits = limitsWithin(allotment, run.spentBefore);
      return sessions.open(run.session).send({ type: 'limits', limits });
    },
  };
}
