import type { Documents, StoredDocument } from '../../ports/documents.ts';
import type { StoreParts } from './store-parts.ts';

export function createSqliteDocuments({ read, writer }: StoreParts): Documents {
  return {
    read: (name) =>
      read(`Reading document ${name}`, (db) =>
        db.get<StoredDocument>('SELECT version, body FROM documents WHERE name = ?', name),
      ),
    write: async (name, body, seen) => (await writer.write(['document', name, body, seen])) as boolean,
  };
}
