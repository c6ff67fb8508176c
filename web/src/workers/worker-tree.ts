/** Workers and jobs as a tree under the sessions that gave them work. */
import type { JobView, ParentView, WorkerView } from '../../../src/ports/workforce.ts';

export interface WorkerNode {
  readonly worker: WorkerView;
  readonly jobs: readonly JobView[];
  readonly children: readonly WorkerNode[];
}

interface Branch {
  /** Undefined for workers without a parent session. */
  readonly session: string | undefined;
  readonly parent: ParentView | undefined;
  readonly workers: readonly WorkerNode[];
}

/** A worker whose parent session belongs to another worker is nested under that worker. */
export function workerTree(
  workers: readonly WorkerView[],
  jobs: readonly JobView[],
  parents: readonly ParentView[],
): readonly Branch[] {
  const bySession = new Map(
    workers.flatMap((worker) => (worker.session === undefined ? [] : [[worker.session, worker]])),
  );
  const nodeOf = (worker: WorkerView): WorkerNode => ({
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

const ended: ReadonlySet<JobView['state']> = new Set(['completed', 'failed', 'cancelled', 'timed-out']);

export function isActive({ state }: JobView): boolean {
  return !ended.has(state);
}

/** All active jobs at or below a node. Cancelling the branch cancels them. */
export function activeIn({ jobs, children }: WorkerNode): readonly JobView[] {
  return [...jobs.filter(isActive), ...children.flatMap(activeIn)];
}
