/** Workers and jobs as people see them, in every front end. */
import type { SessionId, WorkerId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { BudgetLine } from '../views/budget-lines.ts';
import type { JobRow, WorkerRow } from './job-queue.ts';

export type WorkerState =
  | 'inactive'
  | 'working'
  /** The model was called and hasn't responded yet. */
  | 'requesting'
  | 'receiving'
  /** Waiting for a person's answer or for a provider. */
  | 'waiting'
  | 'using-tool'
  /** Inactive, and its last turn failed. */
  | 'inactive-failed';

export interface WorkerView {
  readonly id: WorkerId;
  readonly name: string;
  readonly kind: WorkerRow['kind'];
  /** Absent if it has the default agent and hasn't worked yet. */
  readonly agent?: string;
  readonly model?: string;
  readonly state: WorkerState;
  readonly jobs: { readonly active: number; readonly all: number };
  readonly session?: SessionId;
  /** The session that it works for. */
  readonly parent?: SessionId;
  /** Current activities, worded to follow "it is". Empty if inactive. */
  readonly doing: readonly string[];
  readonly budget: readonly BudgetLine[];
}

/** A session that has workers but isn't one: the root of a tree of them. */
export type ParentView = Pick<WorkerView, 'doing' | 'budget'> & { readonly session: SessionId };

export interface JobView {
  readonly id: string;
  /** The name of its worker. */
  readonly worker: string;
  /** `cancelling`: its cancellation is recorded, but it hasn't stopped yet. */
  readonly state: JobRow['state'] | 'cancelling';
  readonly priority: JobRow['priority'];
  readonly prompt: string;
  readonly after: readonly string[];
  readonly elapsedMs?: number;
  readonly spent?: Spending & { readonly costIsKnown: boolean };
  /** How it ended. Absent if it hasn't. */
  readonly ending?: Ending;
  readonly session?: SessionId;
  /** The session that it works for. */
  readonly parent?: SessionId;
}
