/** A job's state. One table lists every legal transition; all others are refused. */
export type JobState =
  | 'queued'
  | 'running'
  /** For an answer or for its own workers. It doesn't count as running. */
  | 'waiting'
  /** No activity. It continues by itself, is resumed, or is given up. */
  | 'stalled'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'timed-out';

export const jobStates: readonly JobState[] = [
  'queued',
  'running',
  'waiting',
  'stalled',
  'completed',
  'failed',
  'cancelled',
  'timed-out',
];

/** A queued job ends without running if it is cancelled, its deadline passes, or its dependency failed. */
const moves: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ['running', 'failed', 'cancelled', 'timed-out'],
  running: ['waiting', 'stalled', 'completed', 'failed', 'cancelled', 'timed-out'],
  waiting: ['running', 'completed', 'failed', 'cancelled', 'timed-out'],
  stalled: ['running', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
  'timed-out': [],
};

export interface JobMoveError {
  readonly type: 'illegal-move';
  readonly state: JobState;
  readonly to: JobState;
  readonly reason: string;
}

export function moveJob(state: JobState, to: JobState): JobState | JobMoveError {
  if (moves[state].includes(to)) return to;
  const reason = hasEnded(state) ? `it has ended as ${state}` : `a ${state} job cannot become ${to}`;
  return { type: 'illegal-move', state, to, reason };
}

export function hasEnded(state: JobState): boolean {
  return moves[state].length === 0;
}

/** Occupies its worker: no other job may run on it. */
export function isUnderWay(state: JobState): boolean {
  return state === 'running' || state === 'waiting' || state === 'stalled';
}
