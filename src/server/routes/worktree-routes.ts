/** Where sessions work on their own copy of the files, and what they changed there. */
import { laterRoute, type Route } from '../route.ts';

export function worktreeRoutes(): readonly Route[] {
  return [
    laterRoute('GET', '/worktrees', 'List worktrees'),
    laterRoute('POST', '/worktrees/:id/commit', 'Commit in a worktree'),
    laterRoute('POST', '/worktrees/:id/merge', 'Merge a worktree'),
    laterRoute('GET', '/sessions/:id/diff', 'What a session changed'),
  ];
}
