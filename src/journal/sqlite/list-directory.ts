import { cursorAfter, defaultPageSize, placeOf, wordsIn } from '../directory.ts';
import type { DirectoryEntry, DirectoryPage, DirectoryQuery } from '../journal.ts';
import type { Driver, SqlValue } from './driver.ts';

export function listDirectory(db: Driver, query: DirectoryQuery): DirectoryPage {
  const { limit = defaultPageSize } = query;
  const { tests, values } = conditionsOf(query);
  const where = tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;
  // One more than asked for tells whether there is another page.
  const sql = `SELECT entry FROM directory ${where} ORDER BY updated_at DESC, id LIMIT ?`;
  const rows = db.all<{ entry: string }>(sql, ...values, limit + 1);
  const entries = rows.slice(0, limit).map(({ entry }) => JSON.parse(entry) as DirectoryEntry);
  const last = entries.at(-1);
  return { entries, ...(last !== undefined && rows.length > limit && { cursor: cursorAfter(last) }) };
}

function conditionsOf({ state, agent, parent, origin, prefix, q, cursor }: DirectoryQuery) {
  const tests: string[] = [];
  const values: SqlValue[] = [];
  const add = (test: string, ...more: readonly SqlValue[]) => {
    tests.push(test);
    values.push(...more);
  };
  if (state !== undefined) add('state = ?', state);
  if (agent !== undefined) add('agent = ?', agent);
  if (parent !== undefined) add('parent = ?', parent);
  if (origin !== undefined) add('origin = ?', origin);
  if (prefix !== undefined) add('id >= ? AND id < ?', prefix, `${prefix}\u{10ffff}`);
  for (const word of wordsIn(q)) add('instr(title, ?) > 0', word);
  const place = placeOf(cursor);
  if (place !== undefined) {
    add('(updated_at < ? OR (updated_at = ? AND id > ?))', place.updatedAt, place.updatedAt, place.session);
  }
  return { tests, values };
}
