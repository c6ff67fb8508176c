import { expect, test } from 'vitest';

import { priorities } from '../journal/job-priorities.ts';
import type { Model } from '../ports/model.ts';
import { createRondo } from '../rondo.ts';

const jobs = 1000;
const limit = 50;

/** Answers after a short delay and counts concurrent requests. */
function countingModel(): Model & { readonly most: number; readonly order: readonly string[] } {
  let running = 0;
  let most = 0;
  const order: string[] = [];
  return {
    name: 'counting',
    get most() {
      return most;
    },
    order,
    async call({ messages }) {
      running += 1;
      most = Math.max(most, running);
      const prompt = messages.at(-1)?.text;
      order.push(typeof prompt === 'string' ? prompt : '');
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
      return {
        type: 'completed',
        text: 'ok',
        calls: [],
        usage: { inputTokens: 1, outputTokens: 1, cost: 0 },
        stop: 'end',
      };
    },
  };
}

test(
  '[C79] 1,000 jobs under a limit of 50 start in order of priority, never more than 50 at once',
  { timeout: 60_000 },
  async () => {
    const model = countingModel();
    await using rondo = await createRondo({
      agents: { a: {} },
      models: { m: model },
      workers: {
        // The limit on running jobs is the one that applies here.
        limits: { running: limit, perProvider: 2 * limit },
        queued: jobs,
        queuedPerPriority: jobs,
      },
    });
    const held = await rondo.workers.create('first');
    const gate = await held.run('gate');
    const workers = await Promise.all(Array.from({ length: 100 }, (_, one) => rondo.workers.create(`w${one}`)));
    const results = await Promise.all(
      Array.from({ length: jobs }, async (_, one) => {
        const priority = priorities[one % 4] ?? 'normal';
        const job = await workers[Math.floor(one / 4) % 100]?.run(priority, {}, { priority, after: [gate] });
        return job?.wait();
      }),
    );
    expect(results.every((result) => result?.ending.type === 'completed')).toBe(true);
    expect(model.most).toBeLessThanOrEqual(limit);
    const ranks = model.order.slice(1).map((word) => priorities.indexOf(word as 'urgent'));
    const sorted = ranks.toSorted((a, b) => a - b);
    // Claims are ordered. Concurrent jobs may reach the model slightly before or after their neighbors.
    const strayed = ranks.filter((rank, index) => rank !== sorted[index]).length;
    expect(strayed).toBeLessThan(2 * limit);
    expect((await rondo.jobs.list()).length).toBeLessThanOrEqual(101 * 3);
  },
);
