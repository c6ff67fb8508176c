/** The states of a job. One table lists every legal transition; all others are refused. */
import type { JobMoveError, JobState } from '../ports/job-queue.ts';

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
