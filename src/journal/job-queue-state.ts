/** Where a job stands. One table says every legal move; whatever is not in it is refused. */
export type JobState =
  | 'queued'
  | 'running'
  /** For a person's answer, or for workers of its own; it takes no place among those that run. */
  | 'waiting'
  /** Nothing comes from it; it goes on by itself, is taken up again, or is given up. */
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

/** A queued job ends without having run when it is cancelled, its time is over, or what it waits for failed. */
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

/** Its session is taken up by it: nothing else may run on the same worker. */
export function isUnderWay(state: JobState): boolean {
  return state === 'running' || state === 'waiting' || state === 'stalled';
}
