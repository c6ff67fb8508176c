import { allotmentProblem, placesLeft } from '../budget.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { endTurn } from './end-turn.ts';
import type { WorkerReport } from '../report.ts';
import { turnOf } from '../state.ts';
import type { LivenessVerdict } from '../verdict.ts';

/** A new child needs a free place and its share of the budget. The single writer checks both here. */
export function decideReport(draft: Draft, report: WorkerReport): Refusal | undefined {
  const { state } = draft;
  const live = state.workers.find((worker) => worker.id === report.worker);
  if (
    report.state === 'spawned' &&
    live === undefined &&
    placesLeft(state) < 1 + (report.allotment?.children ?? 0)
  ) {
    return {
      code: 'limit',
      message: `session ${state.id} has ${Math.max(placesLeft(state), 0)} of its ${state.limits.children} places for live workers left; wait for one to end`,
    };
  }
  if (report.allotment !== undefined) {
    const problem = allotmentProblem(state, report.allotment, live?.allotment ?? {});
    if (problem !== undefined) return { code: 'limit', message: problem };
  }
  emit(draft, { type: 'worker-reported', report });
  return undefined;
}

/** Ignores a verdict on a turn that ended or is being cancelled. */
export function decideVerdict(draft: Draft, verdict: LivenessVerdict): Refusal | undefined {
  if (turnOf(draft.state) === undefined || draft.state.phase.type === 'cancelling') return undefined;
  emit(draft, { type: 'verdict-reached', verdict });
  if (verdict.action !== 'stop') return undefined;
  const code = verdict.verdict === 'crash-looping' ? 'crash-loop' : verdict.verdict;
  endTurn(draft, {
    type: 'failed',
    code,
    message: `The turn was stopped as ${verdict.verdict}: ${verdict.evidence}`,
  });
  return undefined;
}
