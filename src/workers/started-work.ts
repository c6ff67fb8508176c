import type { JobRow } from '../ports/job-queue.ts';

/** The outcome of starting one piece of delegated work. */
export type Started =
  | { readonly name: string; readonly job: JobRow }
  | { readonly name: string; readonly refusal: string };
