/**
 * A worker's activity as people see it, folded from its session's events and streamed text. Only the transitions in
 * the table are valid. An event that would cause another is rejected with a message.
 */
import type { Event } from '../kernel/event.ts';
import type { Ending } from '../kernel/outcome.ts';
import { turnOf, type State } from '../kernel/state.ts';
import type { WorkerState } from '../ports/workforce.ts';
import { isBlockedOnPerson } from '../views/status.ts';

type WorkerSummary = 'idle' | 'busy' | 'idle-failed';

const moves: Readonly<Record<WorkerState, readonly WorkerState[]>> = {
  inactive: ['working'],
  'inactive-failed': ['working'],
  working: ['requesting', 'using-tool', 'waiting', 'inactive', 'inactive-failed'],
  requesting: ['receiving', 'waiting', 'inactive', 'inactive-failed'],
  receiving: ['requesting', 'using-tool', 'waiting', 'inactive', 'inactive-failed'],
  waiting: ['requesting', 'using-tool', 'inactive', 'inactive-failed'],
  'using-tool': ['requesting', 'waiting', 'inactive', 'inactive-failed'],
};

interface WorkerMoveError {
  readonly type: 'illegal-move';
  readonly state: WorkerState;
  readonly to: WorkerState;
  readonly reason: string;
}

export function moveWorker(state: WorkerState, to: WorkerState): WorkerState | WorkerMoveError {
  if (state === to || moves[state].includes(to)) return to;
  return { type: 'illegal-move', state, to, reason: `a worker can't change from ${state} to ${to}` };
}

/** A worker's state after a session event. Undefined if it doesn't change. */
export function stateAfter(event: Event): WorkerState | undefined {
  switch (event.type) {
    case 'turn-started':
      return 'working';
    case 'model-call-intended':
    case 'understanding-intended':
    case 'agent-turn-intended':
      return 'requesting';
    case 'model-settled':
      // A model that doesn't stream delivers everything at once.
      return event.outcome.type === 'completed' ? 'receiving' : undefined;
    case 'tool-run-intended':
    case 'job-intended':
      return 'using-tool';
    case 'question-opened':
      return 'waiting';
    case 'wait-intended':
      return event.why === 'error-pause' || event.why === 'provider-reset' ? 'waiting' : undefined;
    case 'turn-ended':
      return restAfter(event.ending);
    default:
      return undefined;
  }
}

/** The current activity, for a worker whose events weren't followed. */
export function workerStateOf(state: State, options: { readonly isStreaming: boolean }): WorkerState {
  const turn = turnOf(state);
  if (turn === undefined) return restAfter(state.lastEnding?.ending ?? { type: 'completed' });
  if (isBlockedOnPerson(state)) return 'waiting';
  switch (turn.activity.type) {
    case 'calling-model':
    case 'understanding':
    case 'compacting':
    case 'prompting-agent':
      return options.isStreaming ? 'receiving' : 'requesting';
    case 'running-calls':
      return 'using-tool';
    case 'pausing':
    case 'clarifying':
    case 'reviewing-reply':
    case 'asking-loop':
    case 'asking-repeat':
      return 'waiting';
    case 'ready':
    case 'replied':
      return 'working';
  }
}

export function summaryOf(state: WorkerState): WorkerSummary {
  if (state === 'inactive') return 'idle';
  return state === 'inactive-failed' ? 'idle-failed' : 'busy';
}

function restAfter(ending: Ending): WorkerState {
  return ending.type === 'failed' || ending.type === 'timed-out' ? 'inactive-failed' : 'inactive';
}
