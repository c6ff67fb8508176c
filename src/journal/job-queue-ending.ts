/** How a job ends, and which jobs end or start because of it. */
import { optional } from '../kernel/optional.ts';
import type { Ending, Spending } from '../kernel/outcome.ts';
import type { QueueTables } from './job-queue-tables.ts';
import type { EndOptions, JobRow } from '../ports/job-queue.ts';

/** The job first, then jobs that ended because it failed. */
export function endJob(
  tables: QueueTables,
  row: JobRow,
  ending: Ending,
  options: EndOptions & { readonly spent?: Spending; readonly dead?: boolean },
): readonly JobRow[] {
  const { owner: _owner, resume: _resume, ...rest } = row;
  const { at, spent, dead } = options;
  const final = row.cancel === undefined ? ending : cancelledFor(row.cancel.reason);
  const ended: JobRow = {
    ...rest,
    state: final.type,
    ending: final,
    endedAt: at,
    ...optional({ spent }),
    ...(dead === true && { dead }),
  };
  const dependents = tables.dependents(row.id);
  tables.putJob(ended);
  archive(tables, ended, options.keepEnded);
  const others: JobRow[] = [];
  for (const { id } of dependents) {
    // A dependent may wait for several jobs, and an earlier one may have ended it.
    const dependent = tables.job(id);
    if (dependent?.state !== 'queued') continue;
    const freed: JobRow = { ...dependent, blockers: dependent.blockers - 1 };
    tables.putJob(freed);
    const consequence = dependencyEnding(freed, ended);
    const { at: when, keepEnded } = options;
    if (consequence !== undefined) others.push(...endJob(tables, freed, consequence, { at: when, keepEnded }));
  }
  return [tables.job(row.id) ?? ended, ...others];
}

/** How a job ends because its dependency ended; undefined if it may run. */
export function dependencyEnding(row: JobRow, dependency: JobRow): Ending | undefined {
  if (dependency.state === 'completed') return undefined;
  const why = `job ${dependency.id}, which it waits for, ended as ${dependency.state}`;
  switch (row.whenDependencyFails) {
    case 'run-anyway':
      return undefined;
    case 'skip':
      return { type: 'cancelled', reason: `skipped: ${why}` };
    case 'fail':
      return { type: 'failed', code: 'job-failed', message: `It was not run: ${why}.` };
  }
}

export function cancelledFor(reason: string | undefined): Ending {
  return { type: 'cancelled', ...optional({ reason }) };
}

function archive(tables: QueueTables, { worker }: JobRow, keep: number): void {
  for (const old of tables.listedEnded(worker).slice(keep)) tables.putJob({ ...old, archived: true });
}
