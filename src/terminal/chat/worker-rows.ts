import { previewOf } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { JobId, QuestionId, SessionId, WorkerId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { WorkerReport } from '../../kernel/report.ts';
import { oneLine } from '../../views/one-line.ts';

/** One worker according to its reports. A failed one stays, with the reason. */
export interface WorkerLine {
  readonly worker: WorkerId;
  readonly name: string;
  readonly state: WorkerReport['state'];
  readonly text: string;
  readonly since: number;
  /** When it ended. */
  readonly until?: number;
  readonly job?: JobId;
  readonly session?: SessionId;
  readonly question?: QuestionId;
  /** With its own workers, as last reported. */
  readonly used?: { readonly tokens: number; readonly cost: number; readonly costIsKnown: boolean };
}

/** How many ended workers stay, newest first. */
const mostEnded = 5;

export function workerRowsWith(rows: readonly WorkerLine[], { event, at, by }: Recorded): readonly WorkerLine[] {
  if (event.type !== 'worker-reported') return rows;
  const { worker, state, text, job, session, question, usage, unpricedCalls = 0 } = event.report;
  const before = rows.find((row) => row.worker === worker);
  const isOver = isEnded(state);
  const used =
    usage === undefined
      ? before?.used
      : {
          tokens: usage.inputTokens + usage.outputTokens,
          cost: usage.cost ?? 0,
          costIsKnown: unpricedCalls === 0,
        };
  const row: WorkerLine = {
    worker,
    name: by.type === 'worker' ? by.name : (before?.name ?? worker),
    state,
    text: text === undefined ? (before?.text ?? '') : oneLine(previewOf(text)),
    since: before === undefined || state === 'spawned' ? at : before.since,
    ...(isOver && { until: at }),
    ...optional({ job, used }),
    ...((session ?? before?.session) !== undefined && { session: session ?? before?.session }),
    ...(question !== undefined && !isOver && { question }),
  } as WorkerLine;
  const others = rows.filter((other) => other.worker !== worker);
  const all = [...others, row];
  const forgotten = new Set(all.filter((other) => isEnded(other.state)).slice(0, -mostEnded));
  return all.filter((other) => !forgotten.has(other));
}

export function isEnded(state: WorkerReport['state']): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled';
}
