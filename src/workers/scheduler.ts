/**
 * Claims jobs within the limits, runs them, and settles them.
 *
 * 1. A process runs the jobs it filed. A serving process (`serveAll`) runs all jobs.
 * 2. It sleeps until a change or a deadline. While other processes run jobs that it could claim, it also polls,
 *    because a dead process sends no notice. It never spins.
 * 3. If another process cancelled, ended or claimed a job, this one stops or releases it on the queue's next
 *    change.
 * 4. A job's end also ends its turn.
 */
import type { JobRow, WorkerRow } from '../ports/job-queue.ts';
import { isUnderWay } from '../journal/job-queue-state.ts';
import { noSpending } from '../kernel/budget.ts';
import type { JobId } from '../kernel/ids.ts';
import type { JobHosts } from './job-host.ts';
import type { JobProgress } from './job-progress.ts';
import { endingRun, stopJob } from './prompt-job.ts';
import { runJob, type RunHooks, type RunningJob } from './run-job.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface Scheduler {
  /** Checks for work. */
  wake(): void;
  /** Handles a queue change from any process. */
  changed(): void;
  serveAll(): void;
  readonly running: ReadonlyMap<JobId, RunningJob>;
  /** Releases every job. Claims nothing until the returned function is called. */
  pause(): Promise<() => void>;
  /** Stops a job that was marked as cancelled. False if it doesn't run here. */
  stop(job: JobId, reason: string): boolean;
  /**
   * Stops claiming. Running jobs (cancelled if requested) have until the deadline. Jobs still running then stay as
   * they are for the next owner.
   */
  close(options: { readonly deadline: number; readonly cancel: boolean }): Promise<void>;
}

interface SchedulerHooks {
  readonly hosts: JobHosts;
  readonly onClaiming: () => void;
  readonly onNoted: (row: JobRow) => void;
  readonly escalate: RunHooks['escalate'];
  readonly confirming: RunHooks['confirming'];
  readonly onActivity: (worker: WorkerRow, progress: JobProgress) => void;
  /**
   * `settled`: the job this scheduler settled, whose parent has been notified. The other rows ended as a
   * consequence.
   */
  readonly onEnded: (rows: readonly JobRow[], settled: JobRow | undefined) => Promise<void>;
}

export function createScheduler(parts: WorkerParts, hooks: SchedulerHooks): Scheduler {
  const { queue, clock, settings } = parts;
  const running = new Map<JobId, RunningJob>();
  let whose: 'own' | 'all' = 'own';
  let isClosed = false;
  let isPaused = false;
  let filling: Promise<void> | undefined;
  let isWanted = false;
  let disarmNext: (() => void) | undefined;
  let disarmChanges: (() => void) | undefined;
  let onIdle: (() => void) | undefined;
  let hasClaimed = false;

  function wake(): void {
    isWanted = true;
    if (isPaused) return;
    filling ??= Promise.resolve()
      .then(fillWhileWanted)
      .catch((error: unknown) => {
        parts.onProblem('looking for jobs failed', { error: String(error) });
        lookAgainAt(clock.now() + settings.lookEveryMs);
      })
      .finally(() => {
        filling = undefined;
        if (isWanted && !isClosed && !isPaused) wake();
      });
  }

  async function fillWhileWanted(): Promise<void> {
    hooks.onClaiming();
    while (isWanted && !isClosed && !isPaused) {
      isWanted = false;
      let nextAt: number | undefined;
      let runsElsewhere = false;
      for (let width = 1; !isClosed && !isPaused && !isFull(); width = Math.min(width * 2, mostClaims)) {
        // Concurrent claims share one commit of the store and still come in order.
        const answers = await Promise.allSettled(Array.from({ length: width }, () => queue.claim(claimRequest())));
        const claims = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
        ({ nextAt, runsElsewhere = false } = claims.at(-1) ?? {});
        // Claimed jobs run even if other claims failed, because this process now owns them.
        for (const { job } of claims) if (job !== undefined) startOrAgain(job);
        for (const { ended } of claims) if (ended.length > 0) await hooks.onEnded(ended, undefined);
        const failed = answers.find((one) => one.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        hasClaimed ||= claims.some(({ job }) => job !== undefined);
        if (claims.some(({ job }) => job === undefined)) break;
      }
      const lookAt = whose === 'all' || runsElsewhere ? clock.now() + settings.lookEveryMs : undefined;
      const times = [nextAt, lookAt].filter((time) => time !== undefined);
      if (times.length > 0) lookAgainAt(Math.max(Math.min(...times), clock.now() + 1));
    }
  }

  /** True if nothing can be claimed. Jobs that wait for a person or for their own workers don't count. */
  function isFull(): boolean {
    if (running.size < settings.limits.running) return false;
    const count = [...running.values()].filter(({ row }) => row.state === 'running').length;
    return count >= settings.limits.running;
  }

  function claimRequest() {
    const { limits, maxLostAttempts, keepEnded } = settings;
    return { at: clock.now(), uptime: clock.uptime(), limits, whose, maxLostAttempts, keepEnded };
  }

  function lookAgainAt(time: number): void {
    disarmNext?.();
    disarmNext = isClosed ? undefined : clock.at(time, wake);
  }

  function startOrAgain(row: JobRow): void {
    start(row, 0).catch((error: unknown) => {
      parts.onProblem(`starting job ${row.id} failed`, { job: row.id, error: String(error) });
      againSoon(row, 1);
    });
  }

  async function start(row: JobRow, failures: number): Promise<void> {
    const worker = await queue.worker(row.worker);
    if (worker === undefined) {
      const ending = { type: 'failed', code: 'fault', message: `Its worker ${row.worker} is gone.` } as const;
      await settle(row, { ending, spent: noSpending });
      return;
    }
    running.get(row.id)?.leave();
    const host = hooks.hosts.get(row.id) ?? {};
    const onNoted = (noted: JobRow) => {
      host.onState?.(noted.state);
      hooks.onNoted(noted);
    };
    const job = runJob(parts, worker, row, {
      host,
      onNoted,
      escalate: hooks.escalate,
      confirming: hooks.confirming,
      onActivity: hooks.onActivity,
    });
    running.set(row.id, job);
    onNoted(row);
    finish(job).catch((error: unknown) => {
      if (isClosed) return;
      parts.onProblem(`settling job ${row.id} failed`, { job: row.id, error: String(error) });
      againSoon(row, failures + 1);
    });
  }

  /** Retries: no other process ends the job while this one owns it. */
  function againSoon({ id, attempt }: Pick<JobRow, 'id' | 'attempt'>, failures: number): void {
    if (isClosed) return;
    clock.at(clock.now() + settings.lookEveryMs, () => {
      void (async () => {
        const row = await queue.job(id);
        if (isClosed || row?.attempt !== attempt || !isUnderWay(row.state) || row.owner === undefined) return;
        if (failures <= mostFailures) return start(row, failures);
        const message = `Work on it failed ${failures} times in a row; the log of its process says why.`;
        await settle(row, { ending: { type: 'failed', code: 'fault', message }, spent: noSpending });
      })().catch(() => againSoon({ id, attempt }, failures));
    });
  }

  async function finish(job: RunningJob): Promise<void> {
    const { id } = job.row;
    try {
      const end = await job.done;
      if (end !== undefined && !isClosedFor(job)) {
        await settle(job.row, end);
        stopLatePrompt(job.row, 0);
      }
    } finally {
      if (running.get(id) === job) running.delete(id);
      if (running.size === 0) onIdle?.();
      wake();
    }
  }

  /**
   * An earlier owner that lost its lease may have sent the prompt at this moment. It looks at the job after its prompt,
   * and here the prompt is looked for after the job's end, so one of both sees the other and ends the turn.
   */
  function stopLatePrompt(row: JobRow, failures: number): void {
    if (row.attempt === 1 || row.run !== undefined) return;
    const stop = async () => {
      const run = await endingRun(parts, row);
      if (run !== undefined) await stopJob(parts, run, 'its job has ended');
    };
    stop().catch((error: unknown) => {
      if (isClosed) return;
      parts.onProblem(`ending the turn of job ${row.id} failed`, { job: row.id, error: String(error) });
      if (failures < mostFailures)
        clock.at(clock.now() + settings.lookEveryMs, () => stopLatePrompt(row, failures + 1));
    });
  }

  /** On a forced exit, the next owner finds a last-moment ending in the session. */
  function isClosedFor(job: RunningJob): boolean {
    return left.has(job);
  }
  const left = new WeakSet<RunningJob>();

  async function settle(
    row: JobRow,
    end: Pick<Parameters<typeof queue.settle>[1], 'ending' | 'spent'>,
  ): Promise<void> {
    const { id: job, attempt } = row;
    const { keepEnded } = settings;
    const answer = await queue.settle({ job, attempt }, { ...end, at: clock.now(), keepEnded });
    if (answer.type === 'settled') await hooks.onEnded(answer.ended, answer.ended[0]);
  }

  /** Another process may have cancelled, ended or claimed a job that runs here. */
  async function lookAtRunning(): Promise<void> {
    if (running.size === 0) return;
    const ours = new Map(running);
    const active = new Map((await queue.jobs({ which: 'active' })).map((row) => [row.id, row]));
    for (const [id, job] of ours) {
      const row = active.get(id);
      if (row?.owner === undefined || row.attempt !== job.row.attempt) job.lose(row);
      else if (row.cancel !== undefined) job.cancel(row.cancel.reason ?? 'cancelled');
    }
  }

  /**
   * Debounced: one check covers many changes, and most of them are this process's own. A check that failed is
   * repeated: its news don't come again (O14).
   */
  function lookAtRunningSoon(afterMs = changesAfterMs): void {
    if (running.size === 0 || isClosed) return;
    disarmChanges ??= clock.at(clock.now() + afterMs, () => {
      disarmChanges = undefined;
      lookAtRunning().catch((error: unknown) => {
        parts.onProblem('looking at running jobs failed', { error: String(error) });
        lookAtRunningSoon(settings.lookEveryMs);
      });
    });
  }

  async function leaveAll(): Promise<void> {
    for (const job of running.values()) {
      left.add(job);
      job.leave();
    }
    running.clear();
    if (hasClaimed) await queue.release();
  }

  return {
    wake,
    changed() {
      lookAtRunningSoon();
      wake();
    },
    serveAll() {
      whose = 'all';
      wake();
    },
    running,
    stop(job, reason) {
      const run = running.get(job);
      run?.cancel(reason);
      return run !== undefined;
    },
    async close({ deadline, cancel }) {
      if (isClosed) return;
      isClosed = true;
      disarmNext?.();
      await filling;
      if (cancel) for (const job of running.values()) job.cancel('shutdown');
      if (deadline > 0 && running.size > 0) {
        const idle = Promise.withResolvers<void>();
        onIdle = idle.resolve;
        const disarm = clock.at(clock.now() + deadline, idle.resolve);
        await idle.promise;
        disarm();
      }
      disarmChanges?.();
      await leaveAll();
    },
    async pause() {
      isPaused = true;
      await filling;
      await leaveAll();
      return () => {
        isPaused = false;
        wake();
      };
    },
  };
}

const mostClaims = 16;
const mostFailures = 3;
const changesAfterMs = 50;
