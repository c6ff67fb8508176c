/**
 * Tables that most stores never need: made with the first row that goes into them, so that a store of a few
 * sessions is small and opens at once. Files from before schema 6 have them all.
 */
import type { Driver } from './driver.ts';
import { jobQueueSchema } from './job-queue-schema.ts';

export type OnDemand = 'jobs' | 'search';

/** Not to be remembered inside a transaction, which may be rolled back. */
export function hasTable(db: Driver, name: OnDemand): boolean {
  return db.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`, name) !== undefined;
}

/** Inside a transaction of the writer. */
export function makeTable(db: Driver, name: OnDemand): void {
  if (!hasTable(db, name)) db.exec(scripts[name]);
}

const scripts: Readonly<Record<OnDemand, string>> = {
  jobs: jobQueueSchema,
  // The index holds no text of its own: its rows are named by the position of their record.
  search: `
    CREATE VIRTUAL TABLE search USING fts5 (
      text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
    )`,
};
