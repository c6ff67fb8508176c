/** Other ways a session may go: fork and rewind. */
import { laterRoute, type Route } from '../route.ts';

export function branchRoutes(): readonly Route[] {
  return [
    laterRoute('POST', '/sessions/:id/fork', 'Fork a session'),
    laterRoute('POST', '/sessions/:id/rewind', 'Rewind a session'),
  ];
}
