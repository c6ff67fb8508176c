/** Sessions as files: export and import. */
import { laterRoute, type Route } from '../route.ts';

export function archiveRoutes(): readonly Route[] {
  return [
    laterRoute('POST', '/sessions/import', 'Import a session'),
    laterRoute('POST', '/sessions/:id/export', 'Export a session'),
  ];
}
