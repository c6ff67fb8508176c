import type { JobState } from '../ports/job-queue.ts';
import type { JobId } from '../kernel/ids.ts';
import type { Answer, Question } from '../kernel/question.ts';
import type { WorkerState } from '../ports/workforce.ts';

/** Callbacks for one running job, in addition to the followers of its session. */
export interface JobHost {
  readonly onState?: (state: JobState) => void;
  readonly onWorkerState?: (state: WorkerState) => void;
  /** Called with streamed text. */
  readonly onText?: (text: string) => void;
  /** Called for every question. Undefined leaves it open for others. */
  readonly confirm?: (question: Question) => Promise<Answer | undefined>;
}

/** Hosts live in the process that launched the job, and end with it. */
export type JobHosts = Map<JobId, JobHost>;
