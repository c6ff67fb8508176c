/** A running job's progress as its parent sees it, folded from its session's events and text. */
import type { Event } from '../kernel/event.ts';
import type { CallId } from '../kernel/ids.ts';
import { moveWorker, stateAfter } from './worker-state.ts';
import type { WorkerState } from '../ports/workforce.ts';
import { optional } from '../kernel/optional.ts';

export interface JobProgress {
  readonly activity: WorkerState;
  readonly model?: string;
  readonly startedAt: number;
  readonly tokens: number;
  readonly lastTool?: string;
  readonly tools: ReadonlyMap<CallId, string>;
  readonly openQuestions: number;
}

export function newProgress(at: number, model: string | undefined): JobProgress {
  return {
    activity: 'inactive',
    ...optional({ model }),
    startedAt: at,
    tokens: 0,
    tools: new Map(),
    openQuestions: 0,
  };
}

export function progressAfter(progress: JobProgress, event: Event): JobProgress {
  const to = stateAfter(event);
  const moved = to === undefined ? progress.activity : moveWorker(progress.activity, to);
  // An observer who joins mid-turn hasn't seen its start and continues from the next event.
  const activity = typeof moved === 'string' ? moved : (to ?? progress.activity);
  return { ...progress, activity, ...learnt(progress, event) };
}

export function progressStreamed(progress: JobProgress): JobProgress {
  const isReceiving = progress.activity === 'requesting' || progress.activity === 'receiving';
  return { ...progress, activity: isReceiving ? 'receiving' : progress.activity };
}

function learnt(progress: JobProgress, event: Event): Partial<JobProgress> {
  switch (event.type) {
    case 'model-settled': {
      const { outcome } = event;
      const tokens = progress.tokens + (outcome.usage?.inputTokens ?? 0) + (outcome.usage?.outputTokens ?? 0);
      if (outcome.type !== 'completed') return { tokens };
      const tools = new Map(outcome.calls.map(({ id, tool }) => [id, tool]));
      return { tokens, tools, ...optional({ model: outcome.model }) };
    }
    case 'tool-run-intended':
    case 'job-intended': {
      const lastTool = progress.tools.get(event.call);
      return lastTool === undefined ? {} : { lastTool };
    }
    case 'question-opened':
      return { openQuestions: progress.openQuestions + 1 };
    case 'question-answered':
    case 'question-closed':
      return { openQuestions: Math.max(progress.openQuestions - 1, 0) };
    default:
      return {};
  }
}
