import type { JobState } from '../ports/job-queue.ts';
import type { JobId, WorkerId } from '../kernel/ids.ts';
import type { WorkerState } from '../ports/workforce.ts';

/** Events of local workers and jobs, in order, for observers. The ids are the same in every process. */
export type WorkforceEvent =
  | { readonly type: 'worker-created'; readonly worker: WorkerId; readonly name: string }
  | { readonly type: 'worker-renamed'; readonly worker: WorkerId; readonly name: string }
  | { readonly type: 'worker-changed'; readonly worker: WorkerId; readonly state: WorkerState }
  | { readonly type: 'worker-deleted'; readonly worker: WorkerId }
  | { readonly type: 'job-changed'; readonly job: JobId; readonly worker: WorkerId; readonly state: JobState };
