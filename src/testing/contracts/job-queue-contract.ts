/** Contract of workers and jobs, in any store. */
import { describe, expect, it } from 'vitest';

import type { JobQueue, JobRow } from '../../ports/job-queue.ts';
import type { WorkerId } from '../../kernel/ids.ts';
import {
  claimable,
  enrolled,
  filing,
  id,
  newJob,
  settled,
  sampleSpending,
  workerRow,
} from './job-queue-samples.ts';
import { nextOf } from './journal-samples.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';
import { timeAt } from '../../kernel/time.ts';

/** Contract of a store's job queue. */
export function jobQueueContract(name: string, open: OpenStore): void {
  const queueOf = async (under: StoreUnderTest, ...workers: readonly string[]): Promise<JobQueue> => {
    const { jobs } = under.store;
    for (const worker of workers) await jobs.enrol(workerRow(worker));
    return jobs;
  };
  const claimedIds = async (queue: JobQueue, times: number, request = claimable()): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (let time = 0; time < times; time += 1) ids.push((await queue.claim(request)).job?.id ?? 'none');
    return ids;
  };
  const claimed = async (queue: JobQueue, request = claimable()): Promise<JobRow> => {
    const { job } = await queue.claim(request);
    if (job === undefined) throw new Error('There was nothing to claim.');
    return job;
  };

  describe(`job queue contract: ${name}`, () => {
    it('[C54] keeps workers: enrolled, renamed, found, dismissed; a name is taken once a parent', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'ada');
      expect(await queue.worker('wrk_ada' as WorkerId)).toEqual(workerRow('ada'));
      expect(await queue.enrol({ ...workerRow('ada'), id: 'wrk_2' as WorkerId })).toEqual({
        type: 'name-taken',
        by: 'wrk_ada',
      });
      const child = { ...workerRow('ada'), id: 'wrk_3' as WorkerId, parent: 'ses_p' as never };
      expect(await queue.enrol(child)).toEqual({ type: 'enrolled', worker: child });
      expect(await queue.changeWorker('wrk_ada' as WorkerId, { name: 'eva' })).toEqual(
        enrolled('ada', { name: 'eva' }),
      );
      expect(await queue.workers({ parent: null })).toEqual([workerRow('ada', { name: 'eva' })]);
      expect(await queue.workers({ parent: child.parent })).toEqual([child]);
      expect(await queue.dismiss('wrk_ada' as WorkerId)).toEqual({ type: 'dismissed' });
      expect(await queue.dismiss('wrk_ada' as WorkerId)).toEqual({ type: 'not-found' });
      expect(await queue.workers()).toEqual([child]);
    });

    it('[C79] claims the highest priority first, then the oldest', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b', 'c', 'd', 'e');
      await queue.file(
        [
          newJob('1', 'a', { priority: 'low' }),
          newJob('2', 'b'),
          newJob('3', 'c', { priority: 'urgent' }),
          newJob('4', 'd', { priority: 'high' }),
          newJob('5', 'e'),
        ],
        filing,
      );
      expect(await claimedIds(queue, 6)).toEqual(['job_3', 'job_4', 'job_2', 'job_5', 'job_1', 'none']);
    });

    it('[C79] refuses what its caps do not hold, and takes a filing whole or not at all', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const caps = { ...filing, queued: 3, queuedPerPriority: 2 };
      await queue.file([newJob('1', 'a')], caps);
      expect(await queue.file([newJob('2', 'a'), newJob('3', 'a')], caps)).toEqual({
        type: 'refused',
        code: 'queue-full',
        message: 'The queue holds 2 jobs of priority normal at most, and 1 wait already.',
      });
      const more = ['2', '3', '4'].map((one) => newJob(one, 'a', { priority: 'low' }));
      expect(await queue.file(more, caps)).toEqual({
        type: 'refused',
        code: 'queue-full',
        message: 'The queue holds 3 jobs at most, and 1 wait already.',
      });
      expect((await queue.jobs()).map((row) => row.id)).toEqual(['job_1']);
    });

    it('[C60] [C79] holds jobs back at its limits: one a worker, so many a provider, so many in all', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b', 'c', 'd');
      await queue.file(
        [
          newJob('1', 'a', { provider: 'p' }),
          newJob('2', 'a'),
          newJob('3', 'b', { provider: 'p' }),
          newJob('4', 'c', { provider: 'q' }),
          newJob('5', 'd'),
        ],
        filing,
      );
      const limited = claimable({ limits: { running: 2, perProvider: 9, providers: { p: 1 } } });
      expect(await claimedIds(queue, 3, limited)).toEqual(['job_1', 'job_4', 'none']);
      await queue.note({ job: id('4'), attempt: 1 }, { type: 'moved', to: 'waiting' });
      expect(await claimedIds(queue, 2, limited)).toEqual(['job_5', 'none']);
      await queue.settle({ job: id('1'), attempt: 1 }, settled());
      expect(await claimedIds(queue, 2, limited)).toEqual(['job_2', 'none']);
    });

    it('[C60] refuses a busy worker where asked to', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const options = { ...filing, whenBusy: 'refuse' } as const;
      expect(await queue.file([newJob('1', 'a')], options)).toMatchObject({ type: 'filed' });
      expect(await queue.file([newJob('2', 'a')], options)).toEqual({
        type: 'refused',
        code: 'busy',
        message: 'Worker wrk_a has a job already; wait for it, or let this one queue.',
      });
    });

    it('[C64] starts a job when all it waits for has ended, in whatever order they were listed', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b', 'c');
      await queue.file(
        [
          newJob('3', 'c', { after: [id('1'), id('2')] }),
          newJob('2', 'b', { after: [id('1')] }),
          newJob('1', 'a'),
        ],
        filing,
      );
      for (const next of ['1', '2', '3']) {
        expect(await claimedIds(queue, 2)).toEqual([`job_${next}`, 'none']);
        await queue.settle({ job: id(next), attempt: 1 }, settled());
      }
    });

    it('[C64] refuses cycles and unknown dependencies, workers and ids', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const refusal = async (...jobs: readonly ReturnType<typeof newJob>[]) => {
        const answer = await queue.file(jobs, filing);
        return answer.type === 'refused' ? `${answer.code}: ${answer.message}` : answer.type;
      };
      expect(await refusal(newJob('1', 'a', { after: [id('2')] }), newJob('2', 'a', { after: [id('1')] }))).toBe(
        'cycle: These jobs wait for each other in a circle: job_1, job_2.',
      );
      expect(await refusal(newJob('1', 'a', { after: [id('9')] }))).toBe(
        'unknown-dependency: Job job_1 waits for job job_9, which there is not.',
      );
      expect(await refusal(newJob('1', 'z'))).toBe('unknown-worker: Job job_1: there is no worker wrk_z.');
      expect(await refusal(newJob('1', 'a'))).toBe('filed');
      expect(await refusal(newJob('1', 'a'))).toBe(
        'duplicate-id: Job job_1 is filed already, or twice in one filing.',
      );
    });

    it('[C64] does with a job whose dependency failed what its policy says, before or after filing', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b', 'c', 'd', 'e');
      const failed = { ending: { type: 'failed', code: 'fault', message: 'no' } } as const;
      const dependents = (suffix: string) => [
        newJob(`skip${suffix}`, 'b', { after: [id('1')] }),
        newJob(`fail${suffix}`, 'c', { after: [id('1')], whenDependencyFails: 'fail' }),
        newJob(`run${suffix}`, suffix === '' ? 'd' : 'e', { after: [id('1')], whenDependencyFails: 'run-anyway' }),
      ];
      await queue.file([newJob('1', 'a'), ...dependents('')], filing);
      await claimed(queue);
      const answer = await queue.settle({ job: id('1'), attempt: 1 }, settled(failed));
      expect(answer.type === 'settled' && answer.ended.map((row) => [row.id, row.ending])).toEqual([
        ['job_1', failed.ending],
        ['job_skip', { type: 'cancelled', reason: 'skipped: job job_1, which it waits for, ended as failed' }],
        [
          'job_fail',
          {
            type: 'failed',
            code: 'job-failed',
            message: 'It was not run: job job_1, which it waits for, ended as failed.',
          },
        ],
      ]);
      const late = await queue.file(dependents('2'), filing);
      expect(late.type === 'filed' && late.jobs.map(({ state }) => state)).toEqual([
        'cancelled',
        'failed',
        'queued',
      ]);
      expect(await claimedIds(queue, 3)).toEqual(['job_run', 'job_run2', 'none']);
    });

    it('[C57] lets cancel win over a late result; a queued job ends at once', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b');
      await queue.file([newJob('1', 'a'), newJob('2', 'a')], filing);
      await claimed(queue);
      const waiting = await queue.cancel(id('2'), { at: 5, keepEnded: 3 });
      expect(waiting).toMatchObject({ type: 'ended', ended: [{ id: 'job_2', ending: { type: 'cancelled' } }] });
      const running = await queue.cancel(id('1'), { at: 6, keepEnded: 3, reason: 'enough' });
      expect(running).toMatchObject({ type: 'marked', job: { state: 'running' } });
      const answer = await queue.settle({ job: id('1'), attempt: 1 }, settled());
      expect(answer).toMatchObject({
        ended: [{ state: 'cancelled', ending: { type: 'cancelled', reason: 'enough' } }],
      });
      expect(await queue.settle({ job: id('1'), attempt: 1 }, settled())).toEqual({ type: 'lost' });
      expect(await queue.cancel(id('1'), { at: 7, keepEnded: 3 })).toMatchObject({ type: 'ended' });
      expect(await queue.cancel(id('9'), { at: 7, keepEnded: 3 })).toEqual({ type: 'not-found' });
    });

    it('[C65] ends a queued job whose deadline passed, and says when to look again', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await queue.file([newJob('1', 'a'), newJob('2', 'a', { deadline: timeAt(5000) })], filing);
      expect(await queue.claim(claimable({ at: 1000 }))).toMatchObject({
        job: { id: 'job_1' },
        ended: [],
        nextAt: 5000,
      });
      const late = await queue.claim(claimable({ at: 5000 }));
      expect(late.ended.map(({ id: job, ending }) => [job, ending])).toEqual([
        ['job_2', { type: 'timed-out', message: 'Its deadline passed before it could start.' }],
      ]);
    });

    it('[O5] [O12] keeps the deadlines of queued jobs when the clock is set forward, and moves them along', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b');
      const deadlines = [
        newJob('1', 'a', { deadline: timeAt(5000) }),
        newJob('2', 'a', { deadline: timeAt(6000) }),
      ];
      await queue.file([newJob('0', 'a'), ...deadlines], filing);
      await claimed(queue);
      const hour = 3_600_000;
      const set = (uptime: number) => claimable({ at: uptime + hour, uptime });
      expect(await queue.claim(set(4999))).toEqual({ ended: [], nextAt: 5000 + hour, runsElsewhere: false });
      expect((await queue.job(id('2')))?.deadline).toBe(6000 + hour);
      expect((await queue.claim(set(5000))).ended.map((row) => row.id)).toEqual(['job_1']);
      expect((await queue.claim(set(6000))).ended.map((row) => row.id)).toEqual(['job_2']);
    });

    it('[O5] [O12] puts off no deadline when the clock is set back, and gives a claimed job its own', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b');
      const at = 100 * 3_600_000;
      const deadline = timeAt(at + 4000);
      await queue.file([newJob('0', 'a', { deadline }), newJob('1', 'a', { deadline })], { ...filing, at });
      const set = (uptime: number) => claimable({ at: at - 3_600_000 + uptime - 1000, uptime });
      expect((await queue.claim(set(2000))).job).toMatchObject({ id: 'job_0', deadline: deadline - 3_600_000 });
      expect((await queue.claim(set(4999))).ended).toEqual([]);
      expect((await queue.claim(set(5000))).ended.map((row) => row.id)).toEqual(['job_1']);
    });

    it('[O12] ends a job once, whose deadline passed together with that of one it waits for', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const deadline = timeAt(5000);
      await queue.file([newJob('1', 'a', { deadline }), newJob('2', 'a', { deadline, after: [id('1')] })], filing);
      const { ended } = await queue.claim(claimable({ at: 5000 }));
      expect(ended.map(({ id: job, state }) => [job, state])).toEqual([
        ['job_1', 'timed-out'],
        ['job_2', 'cancelled'],
      ]);
      expect((await queue.job(id('2')))?.ending).toEqual(ended[1]?.ending);
    });

    it('[C66] takes up a stalled job again as resolved, or ends it; only a stalled one', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b', 'c', 'd');
      await queue.file(
        ['a', 'b', 'c', 'd'].map((worker) => newJob(worker, worker)),
        filing,
      );
      expect(await queue.resolve(id('a'), 'continue')).toMatchObject({
        type: 'illegal-move',
        state: 'queued',
      });
      for (const worker of ['a', 'b', 'c', 'd']) {
        await claimed(queue);
        await queue.note({ job: id(worker), attempt: 1 }, { type: 'moved', to: 'stalled' });
      }
      expect(await claimedIds(queue, 1)).toEqual(['none']);
      expect(await queue.resolve(id('a'), 'continue')).toMatchObject({
        type: 'marked',
        job: { resume: 'continue' },
      });
      expect(await queue.resolve(id('b'), 'condense')).toMatchObject({
        type: 'marked',
        job: { resume: 'condense' },
      });
      expect(await queue.resolve(id('c'), 'leave')).toMatchObject({
        type: 'marked',
        job: { state: 'stalled' },
      });
      expect(await queue.resolve(id('d'), 'archive')).toMatchObject({
        type: 'marked',
        job: { state: 'stalled', cancel: { reason: 'archived' }, archived: true },
      });
      expect(await queue.claim(claimable())).toMatchObject({ job: { id: 'job_a', attempt: 2, state: 'running' } });
      expect(await queue.claim(claimable())).toMatchObject({ job: { id: 'job_b', attempt: 2, state: 'running' } });
      expect(await claimedIds(queue, 1)).toEqual(['none']);
      expect(await queue.note({ job: id('a'), attempt: 1 }, { type: 'moved', to: 'waiting' })).toEqual({
        type: 'lost',
      });
    });

    it('[C59] [C76] lists the newest ended jobs of a worker and finds the others by id', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      for (let one = 1; one <= 10; one += 1) {
        await queue.file([newJob(`${one}`, 'a')], filing);
        await claimed(queue);
        await queue.settle({ job: id(`${one}`), attempt: 1 }, settled({ at: one }));
      }
      await queue.file([newJob('11', 'a')], filing);
      const listed = await queue.jobs({ which: 'listed' });
      expect(listed.map((row) => row.id)).toEqual(['job_8', 'job_9', 'job_10', 'job_11']);
      expect(await queue.job(id('1'))).toMatchObject({
        archived: true,
        ending: { type: 'completed' },
        spent: sampleSpending,
      });
      expect((await queue.jobs({ worker: 'wrk_a' as WorkerId, which: 'active' })).map((row) => row.id)).toEqual([
        'job_11',
      ]);
    });

    it('[C58] gives a mark once', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await queue.file([newJob('1', 'a')], filing);
      const answers = await Promise.all([
        queue.mark(id('1'), 'k'),
        queue.mark(id('1'), 'k'),
        queue.mark(id('1'), 'l'),
      ]);
      expect(answers).toEqual([true, false, true]);
      expect(await queue.mark(id('9'), 'k')).toBe(false);
    });

    it('files a job once for a key, and holds one back until it is let go', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await queue.file([newJob('1', 'a', { key: 'k', held: true })], filing);
      const again = await queue.file([newJob('2', 'a', { key: 'k' })], filing);
      expect(again.type === 'filed' && again.jobs.map((row) => row.id)).toEqual(['job_1']);
      expect(await claimedIds(queue, 1)).toEqual(['none']);
      await queue.letGo(id('1'));
      expect(await claimedIds(queue, 1)).toEqual(['job_1']);
    });

    it('[P4] gives one job to one of two processes that claim at once', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using other = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      const answers = await Promise.all([queue.claim(claimable()), other.jobs.claim(claimable())]);
      expect(answers.flatMap(({ job }) => job?.id ?? [])).toEqual(['job_1']);
    });

    it('[P1] [P4] gives the job of a dead process to another at once', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const dead = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(dead.jobs);
      expect((await queue.claim(claimable())).job).toBeUndefined();
      await under.crash(dead);
      expect(await queue.claim(claimable())).toMatchObject({ job: { id: 'job_1', attempt: 2, lostAttempts: 1 } });
    });

    it('[O12] [P4] leaves a job with its living owner, however far the clock is set or the machine slept', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using other = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(queue, claimable({ at: 1000 }));
      for (const at of [1001, 1000 + 30 * 86_400_000, 1]) {
        expect(await other.jobs.claim(claimable({ at, maxLostAttempts: 1 }))).toEqual({
          ended: [],
          runsElsewhere: true,
        });
      }
      expect(await queue.settle({ job: id('1'), attempt: 1 }, settled())).toMatchObject({ type: 'settled' });
    });

    it('[O12] [P4] fences an owner that was stopped, tells it, and counts no loss; gives a job up that was lost too often', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using sleeper = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(sleeper.jobs);
      await under.lapse(sleeper);
      const notified = nextOf<void>((listener) => sleeper.jobs.onChange(() => listener()));
      const taken = await queue.claim(claimable());
      expect(taken).toMatchObject({ job: { id: 'job_1', attempt: 2, lostAttempts: 0 } });
      await notified;
      expect(await sleeper.jobs.settle({ job: id('1'), attempt: 1 }, settled())).toEqual({ type: 'lost' });
      await under.crash(under.store);
      await using last = await under.another();
      // Its turn must end first, so it is claimed once more, to be settled.
      const given = await last.jobs.claim(claimable({ maxLostAttempts: 1 }));
      expect(given).toMatchObject({ job: { id: 'job_1', attempt: 3, givenUp: true }, ended: [] });
      expect(await last.jobs.settle({ job: id('1'), attempt: 3 }, settled())).toMatchObject({
        ended: [{ id: 'job_1', dead: true, ending: { type: 'failed', code: 'crash-loop' } }],
      });
      expect((await last.jobs.jobs({ which: 'dead' })).map((row) => row.id)).toEqual(['job_1']);
    });

    it('[O12] gives no job to a process that slept past its lease', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using sleeper = await under.another();
      await queue.file([newJob('1', 'a'), newJob('2', 'a')], filing);
      await claimed(sleeper.jobs);
      await under.lapse(sleeper);
      expect(await sleeper.jobs.claim(claimable())).toEqual({ ended: [], runsElsewhere: true });
      expect(await queue.claim(claimable())).toMatchObject({ job: { id: 'job_1', attempt: 2 } });
    });

    it('[O12] counts no loss for a process that closed without a word about its jobs', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      const other = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(other.jobs);
      await other[Symbol.asyncDispose]();
      expect(await queue.claim(claimable())).toMatchObject({ job: { id: 'job_1', attempt: 2, lostAttempts: 0 } });
    });

    it('[O12] says whether jobs that this process may claim run in others', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b');
      await using other = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(other.jobs);
      expect(await queue.claim(claimable({ whose: 'own' }))).toEqual({ ended: [], runsElsewhere: true });
      expect(await other.jobs.claim(claimable())).toEqual({ ended: [], runsElsewhere: false });
    });

    it('[C16] gives up its jobs on release, to be claimed again at once and counted as no loss', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using other = await under.another();
      await queue.file([newJob('1', 'a')], filing);
      await claimed(queue);
      await queue.release();
      expect((await other.jobs.claim(claimable({ whose: 'own' }))).job).toBeUndefined();
      expect(await other.jobs.claim(claimable())).toMatchObject({
        job: { id: 'job_1', attempt: 2, lostAttempts: 0 },
      });
    });

    it('[P9] lets a process that files a job once more run it as its own', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using other = await under.another();
      await queue.file([newJob('1', 'a', { key: 'k' })], filing);
      await claimed(queue);
      await queue.release();
      await other.jobs.file([newJob('2', 'a', { key: 'k' })], filing);
      expect(await other.jobs.claim(claimable({ whose: 'own' }))).toMatchObject({
        job: { id: 'job_1', attempt: 2 },
      });
    });

    it('[P1] keeps workers and jobs over a restart', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a', 'b');
      await queue.file([newJob('1', 'a'), newJob('2', 'b', { after: [id('1')] })], filing);
      await claimed(queue);
      await queue.settle({ job: id('1'), attempt: 1 }, settled());
      const before = await queue.jobs();
      const reopened = await under.reopen();
      expect(await reopened.jobs.jobs()).toEqual(before);
      expect((await reopened.jobs.workers()).map(({ name: worker }) => worker)).toEqual(['a', 'b']);
      expect(await reopened.jobs.claim(claimable())).toMatchObject({ job: { id: 'job_2' } });
    });

    it('reports changes, also to another process', async () => {
      await using under = await open();
      const queue = await queueOf(under, 'a');
      await using other = await under.another();
      const here = nextOf<void>((listener) => queue.onChange(() => listener()));
      const there = nextOf<void>((listener) => other.jobs.onChange(() => listener()));
      await queue.file([newJob('1', 'a')], filing);
      await Promise.all([here, there]);
      expect((await other.jobs.jobs()).map((row) => row.id)).toEqual(['job_1']);
    });
  });
}
