/**
 * Runs one claimed job, from its prompt to its end.
 *
 * 1. The parent learns of the end before the queue. After a crash in between, the report repeats under the same
 *    key.
 * 2. Cancel and deadline interrupt the turn and wait for it. The queue decides that cancel wins.
 * 3. When the process exits, the job stays as it is, and the next process to claim it resumes it.
 */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { JobNote, JobRow, JobRun, Ticket, WorkerRow } from '../ports/job-queue.ts';
import { noSpending } from '../kernel/budget.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault, isPassing } from '../kernel/fault.ts';
import { questionIdOf, type QuestionId, type SessionId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { Session } from '../session/handle/session.ts';
import { isBlockedOnPerson, waitsForJobs } from '../views/status.ts';
import type { Escalated } from './escalations.ts';
import { followJob } from './follow-job.ts';
import type { JobHost } from './job-host.ts';
import { newProgress, progressAfter, progressStreamed, type JobProgress } from './job-progress.ts';
import { textOfJob } from './job-text.ts';
import { waitedForPerson } from './waited-for-person.ts';
import { createParentReports, spentIn, type ParentReports } from './parent-reports.ts';
import { endingRun, promptJob, stopJob } from './prompt-job.ts';
import { watchStall } from './stall-watch.ts';
import type { WorkerParts, WorkerSetup } from './worker-parts.ts';
import { optional } from '../kernel/optional.ts';

export interface RunningJob {
  readonly row: JobRow;
  readonly progress: JobProgress;
  /**
   * Resolves with the job's result. Undefined if another process continues it. Rejects with a fault if its session
   * can't be reached from this process now.
   */
  readonly done: Promise<{ readonly ending: Ending; readonly spent: Spending } | undefined>;
  /** Interrupts its work. The job then settles as cancelled. */
  cancel(reason: string): void;
  /** Stops following the job without ending it. */
  leave(): void;
  /**
   * This process no longer owns the job. `row` is set if the job hasn't ended: its turn then belongs to the next
   * owner. If the job has ended, its turn is interrupted.
   */
  lose(row: JobRow | undefined): void;
}

export interface RunHooks {
  readonly host: JobHost;
  readonly onNoted: (row: JobRow) => void;
  /** Lets the parent's agent decide. Calls `toPerson` if it doesn't. */
  readonly escalate: (parent: SessionId, asked: Escalated, toPerson: () => void) => Promise<void>;
  readonly onActivity: (worker: WorkerRow, progress: JobProgress) => void;
  /** Questions that a job's host is about to answer. */
  readonly confirming: Set<QuestionId>;
}

export function runJob(parts: WorkerParts, worker: WorkerRow, claimed: JobRow, hooks: RunHooks): RunningJob {
  const { queue, sessions, clock, settings } = parts;
  const ticket: Ticket = { job: claimed.id, attempt: claimed.attempt };
  const leaving = new AbortController();
  let row = claimed;
  let progress = newProgress(claimed.run?.startedAt ?? clock.now(), worker.model);
  /** Of its last sign of activity. */
  let lastTicks = clock.ticks();
  let wanted: { readonly ending: Ending } | undefined;

  async function note(change: JobNote): Promise<boolean> {
    const noted = await queue.note(ticket, change);
    if (noted.type === 'lost') lose(await queue.job(row.id));
    if (noted.type !== 'noted') return false;
    const isNews = noted.job.state !== row.state;
    row = noted.job;
    if (isNews) hooks.onNoted(row);
    return true;
  }

  function interrupt(ending: Ending, reason: string): void {
    wanted ??= { ending };
    const { run } = row;
    if (run === undefined) return;
    unattended('stopping', stopJob(parts, run, reason));
  }

  function lose(now: JobRow | undefined): void {
    const wasLeft = leaving.signal.aborted;
    leaving.abort();
    const { run } = row;
    if (wasLeft || run === undefined || (now !== undefined && !hasEnded(now.state))) return;
    const problem = (error: unknown) =>
      parts.onProblem(`ending the turn of job ${row.id} failed`, { job: row.id, error: String(error) });
    stopJob(parts, run, 'its job has ended').catch(problem);
  }

  /** Runs work in the background. Reports its failure and continues. */
  function unattended(doing: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (leaving.signal.aborted) return;
      parts.onProblem(`${doing} job ${row.id} failed`, { job: row.id, error: String(error) });
    });
  }

  function moved(next: JobProgress): void {
    lastTicks = clock.ticks();
    const isNews = next.activity !== progress.activity;
    progress = next;
    if (!isNews) return;
    hooks.onActivity(worker, progress);
    hooks.host.onWorkerState?.(progress.activity);
  }

  async function heardEvent(session: Session, reports: ParentReports, recorded: Recorded): Promise<void> {
    const { event } = recorded;
    moved(progressAfter(progress, event));
    reports.heard({ type: 'event', event });
    if (row.state === 'stalled' && event.type !== 'verdict-reached') await note({ type: 'moved', to: 'running' });
    if (progress.openQuestions > 0 || row.state === 'waiting' || event.type === 'job-intended') {
      const state = await sessions.state(session.id);
      const isWaiting = isBlockedOnPerson(state) || waitsForJobs(state);
      if (isWaiting !== (row.state === 'waiting'))
        await note({ type: 'moved', to: isWaiting ? 'waiting' : 'running' });
    }
    if (event.type === 'question-opened') asked(session, reports, recorded);
  }

  function asked(session: Session, reports: ParentReports, { event, seq, at }: Recorded): void {
    if (event.type !== 'question-opened') return;
    const id = questionIdOf(session.id, seq);
    const { about, expiresAt } = event;
    const activity = `asks: ${about.type === 'approval' ? `approval of ${about.tool}` : about.type}`;
    const toPerson = () => reports.asked(id, activity);
    if (about.type === 'approval' && row.parent !== undefined && escalates(worker)) {
      const { tool, reason, unit } = about;
      const asks = { question: id, session: session.id, worker: worker.name, job: row.id, tool, reason };
      unattended('escalating for', hooks.escalate(row.parent, { ...asks, ...optional({ unit }) }, toPerson));
    } else toPerson();
    const question = { id, openedAt: at, about, ...optional({ expiresAt }) };
    const { confirm } = hooks.host;
    if (confirm === undefined) return;
    const answerIt = async () => {
      hooks.confirming.add(id);
      try {
        const answer = await confirm(question);
        if (answer !== undefined) await session.answer(id, answer);
      } finally {
        hooks.confirming.delete(id);
      }
    };
    unattended('answering for', answerIt());
  }

  async function stalled(session: Session, reports: ParentReports, silentMs: number): Promise<void> {
    if (row.state !== 'running') return;
    const evidence = `Nothing came from it for ${Math.round(silentMs / 1000)} s while it was ${progress.activity}.`;
    await session.send({ type: 'verdict', verdict: { verdict: 'stuck', evidence, action: 'note' } });
    if (!(await note({ type: 'moved', to: 'stalled' }))) return;
    await reports.stalled(evidence);
    const { whenStalled, maxRounds } = settings;
    if (whenStalled === 'leave' || (row.run?.round ?? 1) >= maxRounds) return;
    await queue.resolve(row.id, whenStalled);
  }

  async function follow(session: Session, run: JobRun): Promise<Ending | 'again' | undefined> {
    const reports = createParentReports(parts, worker, row);
    const stall = watchStall(clock, {
      stallMs: settings.stallMs,
      lastTicks: () => lastTicks,
      onStalled: (silentMs) => unattended('stalling', stalled(session, reports, silentMs)),
    });
    const { due } = row;
    let disarm = due && clock.at(clock.now() + due.uptime - clock.uptime(), () => atDeadline(due));
    function atDeadline({ uptime }: { readonly uptime: number }): void {
      unattended(
        'timing',
        // The time that a person took is added. Uptime counts a sleep of the machine, and nobody can set it.
        waitedForPerson(session, run, clock.now()).then((waited) => {
          const ms = uptime + waited - clock.uptime();
          if (ms <= 0) timeOut();
          else disarm = clock.at(clock.now() + Math.max(ms, leastRestMs), () => atDeadline({ uptime }));
        }),
      );
    }
    try {
      if (wanted !== undefined) interrupt(wanted.ending, whyInterrupted(wanted.ending));
      const end = await followJob(session, run, leaving.signal, {
        onEvent: (recorded) => heardEvent(session, reports, recorded),
        onProgress(update) {
          moved(progressStreamed(progress));
          reports.heard({ type: 'progress', kind: update.kind, text: update.text });
          if (update.kind === 'text') hooks.host.onText?.(update.text);
        },
      });
      if (end.type === 'left') return undefined;
      if (wanted !== undefined) return wanted.ending;
      return end.type === 'interrupted' ? 'again' : end.ending;
    } finally {
      stall.stop();
      disarm?.();
      if (!leaving.signal.aborted) await reports.allSent();
    }
  }

  function timeOut(): void {
    const message = `It reached its deadline after ${clock.now() - progress.startedAt} ms.`;
    interrupt({ type: 'timed-out', message }, 'deadline');
  }

  async function work(): Promise<{ readonly ending: Ending; readonly spent: Spending } | undefined> {
    let how: 'start' | 'continue' | 'condense' | 'follow' =
      row.resume ?? (row.run === undefined ? 'start' : 'follow');
    if (row.cancel !== undefined) wanted = { ending: { type: 'cancelled', ...row.cancel } };
    // The queue records how often.
    else if (row.givenUp === true) wanted = { ending: faultOf('It was given up.') };
    if (wanted !== undefined) {
      const run = await endingRun(parts, row);
      if (run !== undefined) [row, how] = [{ ...row, run }, 'follow'];
    }
    for (;;) {
      if (how !== 'follow') {
        if (wanted !== undefined) return endedBefore(wanted.ending);
        const prompted = await promptJob(parts, (await queue.worker(worker.id)) ?? worker, row, how);
        if (prompted.type === 'lost') return undefined;
        if (prompted.type === 'refused') return endedBefore(faultOf(prompted.message));
        const { resume: _, ...rest } = row;
        row = { ...rest, run: prompted.run };
      }
      const { run } = row;
      if (run === undefined || leaving.signal.aborted) return undefined;
      const ending = await follow(sessions.open(run.session), run);
      if (ending === undefined || (ending === 'again' && leaving.signal.aborted)) return undefined;
      how = 'continue';
      if (ending === 'again') continue;
      const spent = await spentIn(parts, run);
      const reports = createParentReports(parts, worker, row);
      await reports.ended(ending, { text: await textOfJob(row, sessions), spent });
      return { ending, spent };
    }
  }

  async function endedBefore(ending: Ending): Promise<{ readonly ending: Ending; readonly spent: Spending }> {
    const run = await endingRun(parts, row);
    const spent = run === undefined ? noSpending : await spentIn(parts, run);
    // The turn may hang, or still be running although following it failed.
    if (run !== undefined) await stopJob(parts, run, 'its job has ended');
    await createParentReports(parts, worker, row).ended(ending, { text: '', spent });
    return { ending, spent };
  }

  return {
    get row() {
      return row;
    },
    get progress() {
      return progress;
    },
    done: work().catch((error: unknown) => {
      if (leaving.signal.aborted) return undefined;
      // This process closes, another one owns the session now, or the store is away. The job continues.
      if (isPassing(error) || (error instanceof Fault && error.code === 'closed')) throw error;
      return endedBefore(faultOf(error instanceof Error ? error.message : String(error)));
    }),
    cancel: (reason) => interrupt({ type: 'cancelled', reason }, reason),
    leave: () => leaving.abort(),
    lose,
  };
}

/** The deadline's minimum recheck interval: the job's time doesn't run while it waits for a person. */
const leastRestMs = 1000;

function escalates({ setup }: WorkerRow): boolean {
  return (setup as WorkerSetup).whenRestricted === 'escalate';
}

function whyInterrupted(ending: Ending): string {
  return ending.type === 'cancelled' ? (ending.reason ?? 'cancelled') : 'its job has ended';
}

function faultOf(message: string): Ending {
  return { type: 'failed', code: 'fault', message };
}
