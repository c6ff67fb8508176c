import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { createRondo } from '../../src/rondo.ts';
import type { Model } from '../../src/ports/model.ts';

export type JobRunner = 'pool' | 'rondo-memory' | 'rondo-sqlite';

export interface JobLoad {
  readonly jobMs: number;
  readonly cpuMs: number;
  /** Heap left per job once all have ended. */
  readonly heapKb: number;
}

const limit = 50;
const seats = 100;

/** Jobs that each call a model once, which answers after a millisecond; at most 50 at once. */
export async function measureJobLoad(given: {
  readonly runner: JobRunner;
  readonly jobs: number;
}): Promise<JobLoad> {
  using folder = createScratchFolder();
  const work = createWork();
  const run =
    given.runner === 'pool'
      ? () => runPool(work, given.jobs)
      : await openRunner(given.runner === 'rondo-memory' ? 'memory:' : `sqlite:${folder.path}/jobs.db`, work);
  await run(seats);
  work.reset();
  collectGarbage();
  const heapBefore = process.memoryUsage().heapUsed;
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await run(given.jobs);
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  collectGarbage();
  const heap = process.memoryUsage().heapUsed - heapBefore;
  if (work.done !== given.jobs || work.most > limit) {
    throw new Error(`${work.done} of ${given.jobs} jobs were done, up to ${work.most} at once.`);
  }
  return {
    jobMs: ms / given.jobs,
    cpuMs: (user + system) / 1000 / given.jobs,
    heapKb: heap / 1024 / given.jobs,
  };
}

interface Work {
  readonly done: number;
  readonly most: number;
  one(): Promise<void>;
  reset(): void;
}

function createWork(): Work {
  let running = 0;
  let most = 0;
  let done = 0;
  return {
    get done() {
      return done;
    },
    get most() {
      return most;
    },
    async one() {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      done += 1;
    },
    reset() {
      most = 0;
      done = 0;
    },
  };
}

/** The floor: a pool of promises that stores nothing. */
async function runPool(work: Work, jobs: number): Promise<void> {
  let left = jobs;
  await Promise.all(
    Array.from({ length: limit }, async () => {
      while (left > 0) {
        left -= 1;
        await work.one();
      }
    }),
  );
}

async function openRunner(store: string, work: Work): Promise<(jobs: number) => Promise<void>> {
  const model: Model = {
    name: 'bench',
    async call() {
      await work.one();
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0 };
      return { type: 'completed', text: 'ok', calls: [], usage, stop: 'end' };
    },
  };
  const rondo = await createRondo({
    store,
    agents: { bench: {} },
    models: { bench: model },
    workers: {
      limits: { running: limit, perProvider: limit },
      queued: 100_000,
      queuedPerPriority: 100_000,
    },
  });
  const workers = await Promise.all(Array.from({ length: seats }, (_, one) => rondo.workers.create(`w${one}`)));
  return async (count) => {
    const tasks = Array.from({ length: count }, (_, one) => workers[one % seats]).flatMap((worker) =>
      worker === undefined ? [] : [{ worker, prompt: 'go' }],
    );
    const jobs = await rondo.workers.runAll(tasks);
    const results = await Promise.all(jobs.map((job) => job.wait()));
    const bad = results.find(({ ending }) => ending.type !== 'completed');
    if (bad !== undefined) throw new Error(`A job ended as ${bad.ending.type}.`);
  };
}
