import type { JobRow } from '../ports/job-queue.ts';

/** What became of one piece of delegated work when it was to start. */
export type Started =
  | { readonly name: string; readonly job: JobRow }
  | { readonly name: string; readonly refusal: string };
