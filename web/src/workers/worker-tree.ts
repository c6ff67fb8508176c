/** Workers and jobs as a tree under the sessions that gave them work. */
import type { BudgetLine } from '../../../src/views/budget-lines.ts';

export interface WorkerEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly agent?: string;
  readonly model?: string;
  readonly state: string;
  readonly jobs: { readonly active: number; readonly all: number };
  readonly session?: string;
  readonly parent?: string;
  readonly doing: readonly string[];
  readonly budget: readonly BudgetLine[];
}

/** A session that has workers but isn't one. */
export interface ParentEntry {
  readonly session: string;
  readonly doing: readonly string[];
  readonly budget: readonly BudgetLine[];
}

export interface JobEntry {
  readonly id: string;
  readonly worker: string;
  readonly state: string;
  readonly priority: string | number;
  readonly prompt: string;
  readonly after: readonly string[];
  readonly elapsedMs?: number;
  readonly spent?: { readonly tokens: number; readonly cost: number; readonly costIsKnown: boolean };
  readonly ending?: { readonly type: string; readonly message?: string; readonly reason?: string };
  readonly session?: string;
  readonly parent?: string;
}

export interface WorkerNode {
  readonly worker: WorkerEntry;
  readonly jobs: readonly JobEntry[];
  readonly children: readonly WorkerNode[];
}

interface Branch {
  /** Undefined for workers without a parent session. */
  readonly session: string | undefined;
  readonly parent: ParentEntry | undefined;
  readonly workers: readonly WorkerNode[];
}

/** A worker whose parent session belongs to another worker is nested under that worker. */
export function workerTree(
  workers: readonly WorkerEntry[],
  jobs: readonly JobEntry[],
  parents: readonly ParentEntry[],
): readonly Branch[] {
  const bySession = new Map(
    workers.flatMap((worker) => (worker.session === undefined ? [] : [[worker.session, worker]])),
  );
  const nodeOf = (worker: WorkerEntry): WorkerNode => ({
    worker,
    jobs: jobs.filter((job) => job.worker === worker.name || job.worker === worker.id),
    children: workers
      .filter((other) => other !== worker && worker.session !== undefined && other.parent === worker.session)
      .map(nodeOf),
  });
  const tops = workers.filter(({ parent }) => parent === undefined || !bySession.has(parent));
  const branches = new Map<string | undefined, WorkerNode[]>();
  for (const worker of tops) {
    const nodes = branches.get(worker.parent);
    if (nodes === undefined) branches.set(worker.parent, [nodeOf(worker)]);
    else nodes.push(nodeOf(worker));
  }
  return [...branches].map(([session, nodes]) => ({
    session,
    parent: parents.find((candidate) => candidate.session === session),
    workers: nodes,
  }));
}

const ended = new Set(['completed', 'failed', 'cancelled', 'timed-out', 'dead']);

export function isActive({ state }: JobEntry): boolean {
  return !ended.has(state);
}

/** All active jobs at or below a node. Cancelling the branch cancels them. */
export function activeIn({ jobs, children }: WorkerNode): readonly JobEntry[] {
  return [...jobs.filter(isActive), ...children.flatMap(activeIn)];
}
