import { optional } from '../../kernel/optional.ts';
import type { DirectoryPage, DirectoryQuery, DirectoryText } from '../../ports/journal.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import { defaultPageSize } from '../directory.ts';
import { directoryConditions, directoryPage, type DirectoryDialect } from '../directory-query.ts';
import type { Driver } from './driver.ts';

export function listDirectory(db: Driver, query: DirectoryQuery): DirectoryPage {
  const { entries, cursor } = listDirectoryText(db, query);
  return { entries: JSON.parse(entries) as readonly DirectoryEntry[], ...optional({ cursor }) };
}

export function listDirectoryText(
  db: Driver,
  { limit = defaultPageSize, ...query }: DirectoryQuery,
): DirectoryText {
  const { where, values } = directoryConditions(query, dialect);
  const sql = `SELECT entry FROM directory ${where} ORDER BY updated_at DESC, id LIMIT ?`;
  return directoryPage(db.texts(sql, ...values, limit + 1), limit);
}

const dialect: DirectoryDialect = {
  parameter: () => '?',
  position: 'instr',
  after: ({ updatedAt, session }, add) =>
    `updated_at < ${add(updatedAt)} OR (updated_at = ${add(updatedAt)} AND id > ${add(session)})`,
};
