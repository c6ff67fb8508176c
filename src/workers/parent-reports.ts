/** A child's reports to the sessions above it: always starts and endings, and progress that passes the filter. */
import type { JobRow, JobRun, WorkerRow } from '../ports/job-queue.ts';
import type { Actor } from '../kernel/actor.ts';
import { spendingBetween, spendingOf } from '../kernel/budget.ts';
import type { QuestionId, SessionId } from '../kernel/ids.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { WorkerReport } from '../kernel/report.ts';
import type { Receipt } from '../session/receipt.ts';
import { nothingHeard, reportAfter, type Heard } from './report-filter.ts';
import type { WorkerParts } from './worker-parts.ts';
import { optional } from '../kernel/optional.ts';

export interface ParentReports {
  heard(heard: Heard): void;
  /** Reports a question to the root session, because people look there. */
  asked(question: QuestionId, text: string): void;
  stalled(evidence: string): Promise<void>;
  /** Resolves once all pending reports were sent. */
  allSent(): Promise<void>;
  ended(ending: Ending, result: { readonly text: string; readonly spent: Spending }): Promise<void>;
}

const silent: ParentReports = {
  heard: () => undefined,
  asked: () => undefined,
  stalled: () => Promise.resolve(),
  allSent: () => Promise.resolve(),
  ended: () => Promise.resolve(),
};

/** Does nothing for a worker without a parent. */
export function createParentReports(parts: WorkerParts, worker: WorkerRow, row: JobRow): ParentReports {
  const { parent } = row;
  if (parent === undefined) return silent;
  const { clock, settings } = parts;
  let filter = nothingHeard;
  const about = { worker: worker.id, job: row.id, ...optional({ session: row.run?.session }) };
  let telling = Promise.resolve();
  /** Sends in order. A progress report that fails is dropped without affecting anything else. */
  const quietly = (to: () => Promise<SessionId>, report: () => Promise<WorkerReport>) => {
    telling = telling.then(async () => {
      try {
        await tellParent(parts, await to(), worker, await report());
      } catch (error) {
        parts.onProblem(`telling of worker ${worker.id} failed`, { worker: worker.id, error: String(error) });
      }
    });
  };
  return {
    heard(heard) {
      const options = { at: clock.now(), intervalMs: settings.reportEveryMs };
      const next = reportAfter(filter, heard, options);
      ({ filter } = next);
      if (next.text === undefined) return;
      const { text } = next;
      quietly(
        async () => parent,
        async () => ({
          ...about,
          state: 'progressed',
          text,
          ...(row.run !== undefined && reported(await spentIn(parts, row.run))),
        }),
      );
    },
    asked(question, text) {
      quietly(
        () => rootOf(parts, parent),
        async () => ({ ...about, state: 'progressed', text, question }),
      );
    },
    async stalled(evidence) {
      await tellParent(parts, parent, worker, { ...about, state: 'stalled', text: evidence });
    },
    allSent: () => telling,
    async ended(ending, { text, spent }) {
      const state = ending.type === 'timed-out' ? 'failed' : ending.type;
      const why = ending.type === 'completed' ? text : endingWords(ending);
      const report: WorkerReport = { ...about, state, ...reported(spent), text: why.slice(0, mostText) };
      await tellParent(parts, parent, worker, report, `${row.id}/end`);
    },
  };
}

/** A job's spending: the session's total minus its spending before the job. */
export async function spentIn(
  { sessions }: Pick<WorkerParts, 'sessions'>,
  { session, spentBefore }: JobRun,
): Promise<Spending> {
  return spendingBetween(spentBefore, spendingOf(await sessions.state(session)));
}

function reported(spent: Spending): Pick<WorkerReport, 'usage' | 'toolCalls' | 'unpricedCalls'> {
  const { tokens, outputTokens = 0, cost, toolCalls, unpricedCalls } = spent;
  return {
    usage: { inputTokens: tokens - outputTokens, outputTokens, cost },
    ...optional({ toolCalls, unpricedCalls }),
  };
}

/** The child's session has the full answer. */
const mostText = 2000;

export async function tellParent(
  { sessions }: WorkerParts,
  parent: SessionId,
  { name }: WorkerRow,
  report: WorkerReport,
  key?: string,
): Promise<Receipt> {
  const by: Actor = { type: 'worker', name };
  return sessions.open(parent).send({ type: 'worker', report }, { by, ...optional({ key }) });
}

async function rootOf({ sessions }: WorkerParts, session: SessionId): Promise<SessionId> {
  let root = session;
  for (let depth = 0; depth < 100; depth += 1) {
    const { parent } = await sessions.state(root);
    if (parent === undefined) return root;
    root = parent;
  }
  return root;
}

export function endingWords(ending: Ending): string {
  switch (ending.type) {
    case 'completed':
      return 'completed';
    case 'cancelled':
      return ending.reason ?? 'cancelled';
    case 'failed':
      return `${ending.code}: ${ending.message}`;
    case 'timed-out':
      return ending.message;
  }
}
