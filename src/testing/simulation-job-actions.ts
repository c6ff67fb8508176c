/** What the clients of a simulation do with workers and jobs. */
import type { Worker } from '../workers/worker.ts';
import type { SimulatedProcess } from './simulation-process.ts';
import type { SeededRandom } from './simulation-random.ts';
import type { SimulatedWorld } from './simulation-world.ts';

interface JobActionParts {
  readonly world: SimulatedWorld;
  /** A client's work in a process. It must be answered unless that process dies. */
  readonly does: (process: SimulatedProcess, what: string, work: () => Promise<unknown>) => void;
}

interface JobActions {
  file(process: SimulatedProcess): void;
  cancel(process: SimulatedProcess): void;
  resolve(process: SimulatedProcess): void;
}

export function createJobActions({ world, does }: JobActionParts): JobActions {
  const { random, counts } = world;
  let filed = 0;
  return {
    file(process) {
      const name = `seat-${random.whole(3)}`;
      const markers = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => `filed-${(filed += 1)}`);
      const prompts = markers.map((marker) => jobScript(random, marker));
      const timeout = random.chance(0.3) ? { timeoutMs: 2000 + random.whole(30_000) } : {};
      does(process, `${name} gets ${JSON.stringify(prompts)} ${JSON.stringify(timeout)}`, async () => {
        const worker = await seat(process, name);
        const jobs = await process.rondo.workers.runAll(
          prompts.map((prompt, index) => ({ worker, prompt, after: index === 0 ? [] : [index - 1], ...timeout })),
        );
        counts.jobsFiled += jobs.length;
        const results = await Promise.all(jobs.map((job) => job.wait()));
        for (const [index, { ending }] of results.entries()) {
          const row = await process.seat.jobs.job(jobs[index]?.id ?? never());
          if (JSON.stringify(row?.ending) !== JSON.stringify(ending))
            world.problems.push(
              `[O12] ${row?.id} came to ${JSON.stringify(row?.ending)}, told as ${JSON.stringify(ending)}`,
            );
        }
      });
    },
    cancel(process) {
      does(process, 'cancels a job', async () => {
        const rows = await process.rondo.jobs.list({ which: 'active' });
        if (rows.length === 0) return;
        const job = await process.rondo.jobs.get(random.pick(rows).id);
        if (job === undefined) return;
        world.plan.push(`${process.name} cancels ${job.id}`);
        await job.cancel('enough');
        counts.jobsCancelled += 1;
      });
    },
    resolve(process) {
      does(process, 'looks after stalled jobs', async () => {
        for (const { id, state } of await process.rondo.jobs.list({ which: 'active' })) {
          if (state !== 'stalled') continue;
          const job = await process.rondo.jobs.get(id);
          await job?.resolve(random.pick(['continue', 'condense', 'archive']));
        }
      });
    },
  };
}

async function seat({ rondo }: SimulatedProcess, name: string): Promise<Worker> {
  const worker = await rondo.workers.get(name);
  if (worker !== undefined) return worker;
  const rules = [{ verdict: 'allow', tool: 'pay', origin: 'user' } as const];
  return rondo.workers.create(name, { limits: { wallTimeMs: 60_000 }, rules }).catch(async (error: unknown) => {
    const other = await rondo.workers.get(name);
    if (other === undefined) throw error;
    return other;
  });
}

/** Lines for the testing agent; its tools repeat the job's name. */
export function jobScript(random: SeededRandom, marker: string): string {
  const lines = [`call look {"job":"${marker}"}`];
  for (let left = random.whole(5); left > 0; left -= 1) {
    lines.push(`say ${marker} goes on`);
    lines.push(`call ${random.weighted({ look: 5, pay: 3, change: 1 })} {"job":"${marker}"}`);
  }
  lines.push(random.weighted({ say: 12, hang: 1, fail: 1 }));
  return lines.join('\n').replace(/say$/, `say ${marker} is done`);
}

function never(): never {
  throw new Error('A job that was filed has no id.');
}
