import { expect, test } from 'vitest';
import type { JobId } from '../kernel/ids.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobRow } from '../ports/job-queue.ts';
import { createJobEndings } from './job-endings.ts';

const job = 'job_1' as JobId;

test('a waiter whose process closes during its read is notified once, and no rejection stays unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  try {
    const reading = Promise.withResolvers<JobRow | undefined>();
    const endings = createJobEndings(
      { job: () => reading.promise, mark: async () => true },
      { onWaiting: () => undefined },
    );
    const waited = endings.wait(job).catch((error: Error) => error.message);
    endings.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    reading.resolve({ id: job, state: 'running' } as JobRow);
    expect(await waited).toBe(
      'Rondo was closed in this process before job job_1 ended; `rondo jobs` shows how it stands.',
    );
    expect(unhandled).toEqual([]);
    await expect(endings.wait(job)).rejects.toMatchObject({ code: 'closed' });
  } finally {
    process.off('unhandledRejection', note);
  }
});

test('[O14] a continuation whose job could not be read keeps its key, and nobody waits on', async () => {
  let isAway = true;
  const used = new Set<string>();
  const endings = createJobEndings(
    {
      async job(id) {
        if (isAway) throw new Fault('busy', 'The store is away.');
        return { id, state: 'running' } as JobRow;
      },
      async mark(_, key) {
        const isNew = !used.has(key);
        used.add(key);
        return isNew;
      },
    },
    { onWaiting: () => undefined },
  );
  const called: string[] = [];
  const call = ({ state }: JobRow) => called.push(state);
  await expect(endings.continueWith(job, 'once', call)).rejects.toMatchObject({ code: 'busy' });
  await expect(endings.wait(job)).rejects.toMatchObject({ code: 'busy' });
  expect(endings.waiting).toBe(0);
  isAway = false;
  expect([await endings.continueWith(job, 'once', call), await endings.continueWith(job, 'once', call)]).toEqual([
    true,
    false,
  ]);
  endings.settle([{ id: job, state: 'completed' } as JobRow]);
  await Promise.resolve();
  expect([called, endings.waiting]).toEqual([['completed'], 0]);
});
