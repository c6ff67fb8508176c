import { expect, test } from 'vitest';

import { hasEnded, isUnderWay, jobStates, moveJob } from './job-queue-state.ts';
import { type JobState } from '../ports/job-queue.ts';

const legal: readonly (readonly [JobState, JobState])[] = [
  ['queued', 'running'],
  ['queued', 'failed'],
  ['queued', 'cancelled'],
  ['queued', 'timed-out'],
  ['running', 'waiting'],
  ['running', 'stalled'],
  ['running', 'completed'],
  ['running', 'failed'],
  ['running', 'cancelled'],
  ['running', 'timed-out'],
  ['waiting', 'running'],
  ['waiting', 'completed'],
  ['waiting', 'failed'],
  ['waiting', 'cancelled'],
  ['waiting', 'timed-out'],
  ['stalled', 'running'],
  ['stalled', 'cancelled'],
];
const isLegal = (from: JobState, to: JobState) => legal.some(([a, b]) => a === from && b === to);
const cells = jobStates.flatMap((from) => jobStates.map((to) => ({ from, to, verdict: isLegal(from, to) })));

test.for(cells.filter(({ verdict }) => verdict))('[C62] a $from job may become $to', ({ from, to }) => {
  expect(moveJob(from, to)).toBe(to);
});

test.for(cells.filter(({ verdict }) => !verdict))('[C62] a $from job may not become $to', ({ from, to }) => {
  expect(moveJob(from, to)).toEqual({
    type: 'illegal-move',
    state: from,
    to,
    reason: hasEnded(from) ? `it has ended as ${from}` : `a ${from} job cannot become ${to}`,
  });
});

test('[C62] four states are endings, and three take up the worker', () => {
  expect(jobStates.filter(hasEnded)).toEqual(['completed', 'failed', 'cancelled', 'timed-out']);
  expect(jobStates.filter(isUnderWay)).toEqual(['running', 'waiting', 'stalled']);
});
