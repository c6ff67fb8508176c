/** The result of a run of jobs: the last line of `rondo jobs run --json` and its exit code. */
import type { JobState } from '../../ports/job-queue.ts';
import type { JobId } from '../../kernel/ids.ts';
import type { Ending, Spending } from '../../kernel/outcome.ts';
import type { Question } from '../../kernel/question.ts';
import type { JobResult } from '../../workers/job.ts';
import { optional } from '../../kernel/optional.ts';

type JobsOutcome = 'completed' | 'failed' | 'needs-input' | 'cancelled';

export interface JobRecord {
  /** The id in the file. */
  readonly id: string;
  readonly job: string;
  readonly state: JobState;
  /** Why it didn't complete. */
  readonly reason?: string;
  readonly text?: string;
  readonly spent?: Spending & { readonly costIsKnown: boolean };
  readonly session?: string;
}

export interface AskedQuestion {
  /** The job that waits for the answer. */
  readonly job: string;
  readonly question: Question;
}

export interface JobsResult {
  readonly type: 'result';
  readonly outcome: JobsOutcome;
  readonly jobs: readonly JobRecord[];
  readonly questions: readonly AskedQuestion[];
  /** The command that resumes the remaining jobs. */
  readonly resume: string;
}

/** `labels`: the jobs' names in the file. */
export function jobRecord(
  id: string,
  { job, ending, text, spent, session }: JobResult,
  labels: ReadonlyMap<JobId, string>,
): JobRecord {
  const reason = reasonOf(ending)?.replaceAll(/\bjob_\w+/g, (other) => labels.get(other as JobId) ?? other);
  return {
    id,
    job,
    state: ending.type,
    ...optional({ reason }),
    text,
    spent: { ...spent, costIsKnown: (spent.unpricedCalls ?? 0) === 0 },
    ...optional({ session }),
  };
}

function reasonOf(ending: Ending): string | undefined {
  switch (ending.type) {
    case 'completed':
      return undefined;
    case 'cancelled':
      return ending.reason;
    case 'failed':
    case 'timed-out':
      return ending.message;
  }
}

export function jobsOutcomeOf(
  jobs: readonly JobRecord[],
  run: { readonly isInterrupted: boolean; readonly isAsked: boolean },
): JobsOutcome {
  if (run.isInterrupted) return 'cancelled';
  if (run.isAsked) return 'needs-input';
  return jobs.every(({ state }) => state === 'completed') ? 'completed' : 'failed';
}
