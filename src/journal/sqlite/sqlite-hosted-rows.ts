import type { HostedRow, HostedRows } from '../../ports/hosted-rows.ts';
import type { StoreParts } from './store-parts.ts';

export function createSqliteHostedRows({ read, writer }: StoreParts): HostedRows {
  return {
    async save(session, body) {
      await writer.write(['host', session, body ?? null]);
    },
    load: () =>
      read('Reading what was hosted', (db) =>
        db.all<HostedRow>('SELECT session, body FROM hosted ORDER BY session'),
      ),
  };
}
