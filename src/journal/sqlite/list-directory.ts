import { optional } from '../../kernel/optional.ts';
import { cursorAfter, defaultPageSize, placeOf, wordsIn } from '../directory.ts';
import type { DirectoryPage, DirectoryQuery, DirectoryText } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { Driver, SqlValue } from './driver.ts';

export function listDirectory(db: Driver, query: DirectoryQuery): DirectoryPage {
  const { entries, cursor } = pageOf(db, query);
  return { entries: entries.map(parsed), ...optional({ cursor }) };
}

export function listDirectoryText(db: Driver, query: DirectoryQuery): DirectoryText {
  const { entries, cursor } = pageOf(db, query);
  return { entries: `[${entries.join(',')}]`, ...optional({ cursor }) };
}

function pageOf(
  db: Driver,
  query: DirectoryQuery,
): { readonly entries: readonly string[]; readonly cursor?: string } {
  const { limit = defaultPageSize } = query;
  const { tests, values } = conditionsOf(query);
  const where = tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;
  // One extra row shows whether there is another page.
  const sql = `SELECT entry FROM directory ${where} ORDER BY updated_at DESC, id LIMIT ?`;
  const entries = db.texts(sql, ...values, limit + 1);
  if (entries.length <= limit) return { entries };
  const page = entries.slice(0, limit);
  const last = page.at(-1);
  return { entries: page, ...(last !== undefined && { cursor: cursorAfter(parsed(last)) }) };
}

function parsed(entry: string): DirectoryEntry {
  return JSON.parse(entry) as DirectoryEntry;
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
