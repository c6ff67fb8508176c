import type { WorkerId } from '../kernel/ids.ts';
import type { QueueTables } from './job-queue-tables.ts';
import type { EnrolAnswer, WorkerChange, WorkerRow } from '../ports/job-queue.ts';

export function enrolWorker(tables: QueueTables, row: WorkerRow): EnrolAnswer {
  const holder = holderOf(tables, row);
  if (holder !== undefined) return { type: 'name-taken', by: holder.id };
  tables.putWorker(row);
  return { type: 'enrolled', worker: row };
}

export function changeWorker(
  tables: QueueTables,
  id: WorkerId,
  change: WorkerChange,
): EnrolAnswer | { readonly type: 'not-found' } {
  const row = tables.worker(id);
  return row === undefined ? { type: 'not-found' } : enrolWorker(tables, { ...row, ...change });
}

export function dismissWorker(tables: QueueTables, id: WorkerId): { type: 'dismissed' | 'busy' | 'not-found' } {
  if (tables.worker(id) === undefined) return { type: 'not-found' };
  if (tables.hasActive(id)) return { type: 'busy' };
  tables.dropWorker(id);
  return { type: 'dismissed' };
}

function holderOf(tables: QueueTables, { id, name, parent }: WorkerRow): WorkerRow | undefined {
  const siblings = tables.workers({ parent: parent ?? null });
  return siblings.find((other) => other.name === name && other.id !== id);
}
