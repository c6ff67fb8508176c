import type { Job } from '../../workers/job.ts';

/** A job of this run, under its name in the file, or its id. */
export interface TrackedJob {
  readonly label: string;
  readonly job: Job;
}
