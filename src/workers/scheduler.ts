/**
 * Claims jobs as long as limits allow, runs them, and settles them.
 *
 * 1. A process runs the jobs it filed; one that serves (`serveAll`) runs everybody's.
 * 2. It sleeps until something changes, a deadline comes or a lease may have lapsed; it never spins.
 * 3. A job that another process cancelled is stopped as soon as the queue tells of a change.
 * 4. Leases are renewed while anything runs; a job that was taken meanwhile is let go of.
 */
import type { JobRow, WorkerRow } from '../journal/job-queue.ts';
import { noSpending } from '../kernel/budget.ts';
import type { JobId } from '../kernel/ids.ts';
import type { JobHosts } from './job-host.ts';
import type { JobProgress } from './job-progress.ts';
import { runJob, type RunHooks, type RunningJob } from './run-job.ts';
import type { WorkerParts } from './worker-parts.ts';

export interface Scheduler {
  /** There may be something to do. */
  wake(): void;
  /** The queue changed, by whomever. */
  changed(): void;
  serveAll(): void;
  readonly running: ReadonlyMap<JobId, RunningJob>;
  /** Stops the work of a job that was marked as cancelled; false where it does not run here. */
  stop(job: JobId, reason: string): boolean;
  /**
   * No more claims; running jobs, cancelled where asked, have until the deadline. What still runs then is
   * left as it is to whoever claims it next.
   */
  close(options: { readonly deadline: number; readonly cancel: boolean }): Promise<void>;
}

export interface SchedulerHooks {
  readonly hosts: JobHosts;
  readonly onClaiming: () => void;
  readonly onNoted: (row: JobRow) => void;
  readonly escalate: RunHooks['escalate'];
  readonly confirming: RunHooks['confirming'];
  readonly onActivity: (worker: WorkerRow, progress: JobProgress) => void;
  /** `settled`: by this scheduler, its parent told; the others ended by the way. */
  readonly onEnded: (rows: readonly JobRow[], settled: JobRow | undefined) => Promise<void>;
}

export function createScheduler(parts: WorkerParts, hooks: SchedulerHooks): Scheduler {
  const { queue, clock, settings } = parts;
  const running = new Map<JobId, RunningJob>();
  let whose: 'own' | 'all' = 'own';
  let isClosed = false;
  let filling: Promise<void> | undefined;
  let isWanted = false;
  let disarmNext: (() => void) | undefined;
  let disarmRenewal: (() => void) | undefined;
  let disarmCancels: (() => void) | undefined;
  let onIdle: (() => void) | undefined;
  let hasClaimed = false;

  function wake(): void {
    isWanted = true;
    filling ??= Promise.resolve()
      .then(fillWhileWanted)
      .catch((error: unknown) => {
        parts.onProblem('looking for jobs failed', { error: String(error) });
        lookAgainAt(clock.now() + settings.lookEveryMs);
      })
      .finally(() => {
        filling = undefined;
        if (isWanted && !isClosed) wake();
      });
  }

  async function fillWhileWanted(): Promise<void> {
    hooks.onClaiming();
    while (isWanted && !isClosed) {
      isWanted = false;
      let nextAt: number | undefined;
      for (let width = 1; !isClosed && !isFull(); width = Math.min(width * 2, mostClaims)) {
        // Side by side they share one commit of the store, and still come in order.
        const claims = await Promise.all(Array.from({ length: width }, () => queue.claim(claimRequest())));
        ({ nextAt } = claims.at(-1) ?? {});
        for (const { ended, job } of claims) {
          if (ended.length > 0) await hooks.onEnded(ended, undefined);
          if (job !== undefined) await start(job);
        }
        hasClaimed ||= claims.some(({ job }) => job !== undefined);
        if (claims.some(({ job }) => job === undefined)) break;
      }
      const lookAt = whose === 'all' ? clock.now() + settings.lookEveryMs : undefined;
      const times = [nextAt, lookAt].filter((time) => time !== undefined);
      if (times.length > 0) lookAgainAt(Math.max(Math.min(...times), clock.now() + 1));
    }
  }

  /** Nothing could be claimed; what waits for a person or for its own workers takes no place. */
  function isFull(): boolean {
    if (running.size < settings.limits.running) return false;
    const count = [...running.values()].filter(({ row }) => row.state === 'running').length;
    return count >= settings.limits.running;
  }

  function claimRequest() {
    const { leaseMs, limits, maxLostAttempts, keepEnded } = settings;
    return { at: clock.now(), leaseMs, limits, whose, maxLostAttempts, keepEnded };
  }

  function lookAgainAt(time: number): void {
    disarmNext?.();
    disarmNext = isClosed ? undefined : clock.at(time, wake);
  }

  async function start(row: JobRow): Promise<void> {
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
    disarmRenewal ??= armRenewal();
    onNoted(row);
    void finish(job).catch((error: unknown) => {
      parts.onProblem(`settling job ${row.id} failed`, { job: row.id, error: String(error) });
    });
  }

  async function finish(job: RunningJob): Promise<void> {
    const { id } = job.row;
    const end = await job.done;
    if (running.get(id) === job) running.delete(id);
    if (end !== undefined && !isClosedFor(job)) await settle(job.row, end);
    if (running.size === 0) onIdle?.();
    wake();
  }

  /** When the process leaves in haste, what ended at the last moment is found in the session by the next owner. */
  function isClosedFor(job: RunningJob): boolean {
    return isClosed && left.has(job);
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

  function armRenewal(): () => void {
    return clock.at(clock.now() + settings.leaseMs / 3, () => {
      disarmRenewal = running.size === 0 || isClosed ? undefined : armRenewal();
      void renew().catch((error: unknown) => parts.onProblem('renewing leases failed', { error: String(error) }));
    });
  }

  async function renew(): Promise<void> {
    const known = new Map(running);
    const owned = new Set(await queue.renew({ now: clock.now(), leaseMs: settings.leaseMs }));
    for (const [id, job] of known) if (!owned.has(id)) job.leave();
    await lookForCancels();
  }

  /** Another process may have cancelled a job that runs here. */
  async function lookForCancels(): Promise<void> {
    if (running.size === 0) return;
    for (const { id, cancel } of await queue.jobs({ which: 'active' })) {
      if (cancel !== undefined) running.get(id)?.cancel(cancel.reason ?? 'cancelled');
    }
  }

  /** Many changes need one look, and most of them are this process's own. */
  function lookForCancelsSoon(): void {
    if (running.size === 0 || isClosed) return;
    disarmCancels ??= clock.at(clock.now() + cancelsAfterMs, () => {
      disarmCancels = undefined;
      lookForCancels().catch((error: unknown) =>
        parts.onProblem('looking for cancelled jobs failed', { error: String(error) }),
      );
    });
  }

  return {
    wake,
    changed() {
      lookForCancelsSoon();
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
      disarmRenewal?.();
      disarmCancels?.();
      for (const job of running.values()) {
        left.add(job);
        job.leave();
      }
      running.clear();
      if (hasClaimed) await queue.release();
    },
  };
}

const mostClaims = 16;
const cancelsAfterMs = 50;
