/**
 * Wires together the workers and jobs of one process: the scheduler, the waiters, and the reports to the sessions
 * above.
 */
import { createListeners } from '../journal/listeners.ts';
import type { JobRow } from '../ports/job-queue.ts';
import type { Recorded } from '../kernel/event.ts';
import type { QuestionId, SessionId } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';
import { createCanceller } from './cancel-jobs.ts';
import { createDelegation, type Delegation } from './delegate.ts';
import { createEscalations, type Escalated } from './escalations.ts';
import { createGroups, type Groups } from './group.ts';
import { createJobEndings } from './job-endings.ts';
import type { JobHosts } from './job-host.ts';
import { createJobHandle, createJobs, type Jobs, type JobsParts } from './jobs.ts';
import { announceJob } from './launch.ts';
import { endingWords, tellParent } from './parent-reports.ts';
import { createScheduler } from './scheduler.ts';
import { createHeldUp, type HeldUp } from './held-up.ts';
import type { WorkerParts } from './worker-parts.ts';
import { createWorkers, type Workers } from './workers.ts';
import type { WorkforceEvent } from './workforce-event.ts';

interface Workforce {
  readonly workers: Workers;
  readonly jobs: Jobs;
  readonly groups: Groups;
  readonly delegation: Delegation;
  /** Workers' questions that block a session. Empty while anything that works for it moves. */
  readonly heldUpBy: HeldUp['questions'];
  /** Starts to run all jobs here, and resumes those that a dead process left. */
  serve(): Promise<void>;
  /** Must be called for every event of a session that is alive here. */
  saw(session: SessionId, recorded: Recorded, state: State): void;
  close(options: { readonly deadline: number; readonly cancel: boolean }): Promise<void>;
  /** Releases every job. Claims nothing until the returned function is called. */
  pause(): Promise<() => void>;
  /** Rejects remaining waiters for jobs. Call it once no session is alive here. */
  endWaiting(): void;
}

export function createWorkforce(parts: WorkerParts): Workforce {
  const { queue, sessions, clock } = parts;
  const events = createListeners<WorkforceEvent>();
  const hosts: JobHosts = new Map();
  const endings = createJobEndings(queue, { onWaiting: () => listen() });
  let disarmLook: (() => void) | undefined;
  let isClosed = false;
  let stopListening: (() => void) | undefined;

  /** Subscribes on first use, so that a program without jobs has no subscription. */
  function listen(): void {
    stopListening ??= queue.onChange(() => {
      lookSoon();
      scheduler.changed();
    });
  }

  async function onEnded(rows: readonly JobRow[], settled?: JobRow): Promise<void> {
    for (const row of rows) {
      if (row !== settled) await tellEndOf(row);
      await clearUpAfter(row);
      hosts.get(row.id)?.onState?.(row.state);
      hosts.delete(row.id);
      events.tell({ type: 'job-changed', job: row.id, worker: row.worker, state: row.state });
    }
    endings.settle(rows);
    scheduler.wake();
  }

  /** Even for a job that never ran, the parent reserved budget. */
  async function tellEndOf(row: JobRow): Promise<void> {
    const worker = await queue.worker(row.worker);
    if (row.parent === undefined || row.ending === undefined || worker === undefined || row.run !== undefined)
      return;
    const state = row.ending.type === 'timed-out' ? 'failed' : row.ending.type;
    const report = { worker: row.worker, job: row.id, state, text: endingWords(row.ending) } as const;
    await tellParent(parts, row.parent, worker, report, `${row.id}/end`);
  }

  /** An ephemeral worker exists for one job only. A system worker's history is saved at once. */
  async function clearUpAfter(row: JobRow): Promise<void> {
    const worker = await queue.worker(row.worker);
    if (worker === undefined || worker.kind === 'persistent') return;
    if (worker.session !== undefined) await sessions.open(worker.session).close();
    if (worker.kind !== 'ephemeral') return;
    if ((await queue.dismiss(worker.id)).type === 'dismissed') {
      events.tell({ type: 'worker-deleted', worker: worker.id });
    }
  }

  /** Only an agent that isn't itself a worker decides: workers may not approve. */
  async function escalate(parent: SessionId, asked: Escalated, toPerson: () => void): Promise<void> {
    const [isWorker] = await queue.workers({ session: parent });
    if (isWorker !== undefined || escalations.attended(parent).length === 0) return toPerson();
    escalations.raise(parent, asked);
    clock.at(clock.now() + parts.settings.escalateMs, () => {
      if (!escalations.open(parent).some(({ question }) => question === asked.question)) return;
      escalations.drop(parent, asked.question);
      toPerson();
    });
  }

  const escalations = createEscalations();
  const confirming = new Set<QuestionId>();
  const heldUp = createHeldUp(
    parts,
    (question, parent) =>
      confirming.has(question) || escalations.open(parent).some((asked) => asked.question === question),
  );
  const scheduler = createScheduler(parts, {
    hosts,
    escalate,
    confirming,
    onClaiming: () => listen(),
    onEnded,
    onNoted: ({ id, worker, state }) => events.tell({ type: 'job-changed', job: id, worker, state }),
    onActivity: ({ id }, { activity }) => events.tell({ type: 'worker-changed', worker: id, state: activity }),
  });
  const canceller = createCanceller(parts, { stop: scheduler.stop, onEnded });
  const jobsParts: JobsParts = { endings, scheduler, canceller };
  const handleOf = (row: JobRow) => createJobHandle(parts, jobsParts, row);
  const workers = createWorkers(parts, {
    scheduler,
    canceller,
    hosts,
    tell: (event) => events.tell(event),
    handle: async ({ id }) => handleOf((await queue.job(id)) as JobRow),
    onEvent: (listener) => events.add(listener),
    waitForEnd: (job) => endings.wait(job),
  });

  /** Debounced: one check covers many changes. A check that failed is repeated: its news don't come again (O14). */
  function lookSoon(afterMs = lookAfterMs): void {
    if (endings.waiting === 0 || isClosed) return;
    disarmLook ??= clock.at(clock.now() + afterMs, () => {
      disarmLook = undefined;
      endings.look().catch((error: unknown) => {
        parts.onProblem('looking for ended jobs failed', { error: String(error) });
        lookSoon(parts.settings.lookEveryMs);
      });
    });
  }

  return {
    workers,
    jobs: createJobs(parts, jobsParts, handleOf),
    groups: createGroups(parts, workers),
    delegation: createDelegation(parts, { endings, canceller, scheduler, escalations, heldUp }),
    heldUpBy: heldUp.questions,
    async serve() {
      // One that fails keeps no other from running.
      const each = async (doing: string, fields: object, work: () => Promise<unknown>) => {
        try {
          await work();
        } catch (error) {
          parts.onProblem(`${doing} failed`, { ...fields, error: String(error) });
        }
      };
      for (const row of await queue.jobs({ which: 'active' })) {
        if (row.held !== true) continue;
        await each('announcing a job', { job: row.id }, async () =>
          announceJob(parts, row, await queue.worker(row.worker)),
        );
      }
      for (const { kind, session } of await queue.workers()) {
        // A system worker is loaded at start, with its history.
        if (kind === 'system' && session !== undefined)
          await each('loading a system worker', { session }, () => sessions.state(session));
      }
      listen();
      scheduler.serveAll();
    },
    saw(session, { event, by }, state) {
      const isLeaving = by.type === 'system' && by.name === 'host';
      const isOver =
        event.type === 'session-closed' ||
        (event.type === 'turn-interrupted' && event.ending.type === 'cancelled');
      if (!isOver || isLeaving || state.workers.length === 0) return;
      canceller.below(session, 'the session it works for was interrupted').catch((error: unknown) => {
        parts.onProblem(`cancelling what works for session ${session} failed`, { session, error: String(error) });
      });
    },
    async close(options) {
      try {
        await scheduler.close(options);
      } finally {
        isClosed = true;
        stopListening?.();
        disarmLook?.();
      }
    },
    pause: () => scheduler.pause(),
    endWaiting: endings.close,
  };
}

const lookAfterMs = 100;
