import type { JobState } from '../../ports/job-queue.ts';
import type { WorkerRow } from '../../ports/job-queue.ts';
import type { Worker } from '../../workers/worker.ts';
import type { WorkerTask } from '../../workers/workers.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';
import { checkAgent } from './check-names.ts';
import type { ListedJob } from './job-file.ts';
import type { TrackedJob } from './tracked-job.ts';
import { optional } from '../../kernel/optional.ts';

interface Filing {
  readonly file: string;
  readonly cwd: string;
  readonly onState: (label: string, state: JobState) => void;
}

/** Files all jobs or none. */
export async function fileListedJobs(
  workspace: Workspace,
  jobs: readonly ListedJob[],
  { file, cwd, onState }: Filing,
): Promise<readonly TrackedJob[]> {
  const { store, rondo, rules } = workspace;
  const there = await store.jobs.workers({ parent: null });
  for (const job of jobs) check(workspace, job, there, file);

  const names = new Set(there.map(({ name }) => name));
  for (const { worker } of jobs) if (worker !== undefined) names.add(worker);
  const created: Worker[] = [];
  async function create(name: string, kind: WorkerRow['kind'], agent: string | undefined): Promise<Worker> {
    const worker = await rondo.workers.create(name, { kind, cwd, rules, ...optional({ agent }) });
    created.push(worker);
    return worker;
  }

  async function workerFor({ id, worker, agent }: ListedJob): Promise<Worker> {
    if (worker === undefined) {
      const name = freeName(id, names);
      names.add(name);
      return create(name, 'ephemeral', agent);
    }
    const agentOfIt = jobs.find((job) => job.worker === worker && job.agent !== undefined)?.agent;
    return (await rondo.workers.get(worker)) ?? create(worker, 'persistent', agentOfIt);
  }

  const places = new Map(jobs.map(({ id }, place) => [id, place]));
  try {
    const works: WorkerTask[] = [];
    for (const listed of jobs) {
      const { id: label, prompt, priority, deadlineMs, onFailure, after = [] } = listed;
      works.push({
        worker: await workerFor(listed),
        prompt,
        host: { onState: (state) => onState(label, state) },
        after: after.flatMap((other) => places.get(other) ?? []),
        ...optional({ priority, timeoutMs: deadlineMs, whenDependencyFails: onFailure }),
      });
    }
    const launched = await rondo.workers.runAll(works);
    return launched.map((job, place) => ({ label: jobs[place]?.id ?? job.id, job }));
  } catch (error) {
    await Promise.all(created.map((worker) => worker.delete()));
    throw error;
  }
}

function check(workspace: Workspace, job: ListedJob, there: readonly WorkerRow[], file: string): void {
  const { id, worker, agent } = job;
  if (agent === undefined) return;
  checkAgent(workspace, agent, `${file}: job "${id}": `);
  const row = there.find(({ name }) => name === worker);
  if (row === undefined || row.agent === agent) return;
  const has = row.agent === undefined ? 'the default agent' : `the agent ${row.agent}`;
  throw usageError(`${file}: job "${id}" needs the agent ${agent}, but worker "${row.name}" is ${has}`);
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  let name = wanted;
  for (let next = 2; taken.has(name); next += 1) name = `${wanted}-${next}`;
  return name;
}
