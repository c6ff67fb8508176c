import type { Priority } from '../ports/job-queue.ts';

/** Highest first. */
export const priorities = ['urgent', 'high', 'normal', 'low'] as const satisfies readonly Priority[];
