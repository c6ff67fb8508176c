/** The operations of every job queue, by their names in the port: rules over rows, in any store. */
import type { ClaimResult } from '../ports/job-queue.ts';
import { fileJobs } from './job-queue-filing.ts';
import {
  cancelJob,
  claimJob,
  isClaimNews,
  letGo,
  markJob,
  noteJob,
  releaseJobs,
  resolveStalled,
  settleJob,
} from './job-queue-running.ts';
import type { QueueTables } from './job-queue-tables.ts';
import { changeWorker, dismissWorker, enrolWorker } from './job-queue-workers.ts';

const queueRules = {
  enrol: enrolWorker,
  changeWorker,
  dismiss: dismissWorker,
  file: fileJobs,
  letGo,
  claim: claimJob,
  note: noteJob,
  settle: settleJob,
  cancel: cancelJob,
  resolve: resolveStalled,
  release: releaseJobs,
  mark: markJob,
} as const;

type Rules = typeof queueRules;

/** An operation with its arguments, as plain data. */
export type QueueWrite = {
  [Rule in keyof Rules]: readonly [
    Rule,
    Rules[Rule] extends (tables: QueueTables, ...given: infer Given) => unknown ? Given : never,
  ];
}[keyof Rules];

/** Runs an operation. `isNews`: other processes may want to look. */
export function applyRule(
  tables: QueueTables,
  [rule, given]: QueueWrite,
): { readonly answer: unknown; readonly isNews: boolean } {
  const run = queueRules[rule] as (tables: QueueTables, ...given: readonly unknown[]) => unknown;
  const answer = run(tables, ...given);
  // Most claims and marks concern nobody else.
  const isNews = rule === 'claim' ? isClaimNews(answer as ClaimResult) : rule !== 'mark';
  return { answer, isNews };
}
