import { expect, test } from 'vitest';
import type { JobId } from '../kernel/ids.ts';
import type { JobRow } from '../ports/job-queue.ts';
import { createJobEndings } from './job-endings.ts';

const job = 'job_1' as JobId;

test('a waiter whose process closes while its job is read is told once, and nothing is left unhandled', async () => {
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
