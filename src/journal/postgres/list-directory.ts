import type { DirectoryQuery, DirectoryText } from '../../ports/journal.ts';
import { defaultPageSize } from '../directory.ts';
import { directoryConditions, directoryPage, type DirectoryDialect } from '../directory-query.ts';
import type { StoreParts } from './store-parts.ts';

export async function listDirectoryText(
  { db, s }: Pick<StoreParts, 'db' | 's'>,
  { limit = defaultPageSize, ...query }: DirectoryQuery,
): Promise<DirectoryText> {
  const { where, values } = directoryConditions(query, dialect);
  const rows = await db.rows<{ entry: string }>(
    'Listing sessions',
    `SELECT entry FROM ${s}.directory ${where} ORDER BY recency DESC, updated_at DESC, id LIMIT $${values.length + 1}`,
    [...values, limit + 1],
  );
  return directoryPage(
    rows.map(({ entry }) => entry),
    limit,
  );
}

const dialect: DirectoryDialect = {
  parameter: (index) => `$${index + 1}`,
  position: 'strpos',
  after({ updatedAt, session }, add) {
    const at = add(updatedAt);
    return `recency <= ${at}::bigint / 10000 AND (updated_at < ${at} OR (updated_at = ${at} AND id > ${add(session)}))`;
  },
};
