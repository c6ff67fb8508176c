import { optional } from '../../kernel/optional.ts';
import type { DirectoryQuery, DirectoryText } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { cursorAfter, defaultPageSize, placeOf, wordsIn } from '../directory.ts';
import type { SqlValue } from './database.ts';
import type { StoreParts } from './store-parts.ts';

export async function listDirectoryText(
  { db, s }: Pick<StoreParts, 'db' | 's'>,
  query: DirectoryQuery,
): Promise<DirectoryText> {
  const { limit = defaultPageSize } = query;
  const { tests, values } = conditionsOf(query);
  const where = tests.length === 0 ? '' : `WHERE ${tests.join(' AND ')}`;
  // One extra row shows whether there is another page.
  const rows = await db.rows<{ entry: string }>(
    'Listing sessions',
    `SELECT entry FROM ${s}.directory ${where} ORDER BY recency DESC, updated_at DESC, id LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  const page = rows.slice(0, limit).map(({ entry }) => entry);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const cursor = last === undefined ? undefined : cursorAfter(JSON.parse(last) as DirectoryEntry);
  return { entries: `[${page.join(',')}]`, ...optional({ cursor }) };
}

function conditionsOf({ state, agent, parent, origin, prefix, q, cursor }: DirectoryQuery) {
  const tests: string[] = [];
  const values: SqlValue[] = [];
  const add = (test: (...places: readonly string[]) => string, ...more: readonly SqlValue[]) => {
    tests.push(test(...more.map((_, index) => `$${values.length + index + 1}`)));
    values.push(...more);
  };
  if (state !== undefined) add((a) => `state = ${a}`, state);
  if (agent !== undefined) add((a) => `agent = ${a}`, agent);
  if (parent !== undefined) add((a) => `parent = ${a}`, parent);
  if (origin !== undefined) add((a) => `origin = ${a}`, origin);
  if (prefix !== undefined) add((a, b) => `id >= ${a} AND id < ${b}`, prefix, `${prefix}\u{10ffff}`);
  for (const word of wordsIn(q)) add((a) => `strpos(title, ${a}) > 0`, word);
  const place = placeOf(cursor);
  if (place !== undefined) {
    add(
      (a, b) => `recency <= ${a}::bigint / 10000 AND (updated_at < ${a} OR (updated_at = ${a} AND id > ${b}))`,
      place.updatedAt,
      place.session,
    );
  }
  return { tests, values };
}
