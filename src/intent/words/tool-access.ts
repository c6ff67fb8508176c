import type { CallFacts } from '../../kernel/call.ts';

/**
 * The effects of the built-in tools. An unlisted tool, such as one of an MCP server, counts as one that may change
 * things.
 */
export const toolAccess: ReadonlyMap<string, CallFacts['access']> = new Map([
  ['read', 'read'],
  ['list', 'read'],
  ['glob', 'read'],
  ['grep', 'read'],
  ['git_status', 'read'],
  ['git_diff', 'read'],
  ['git_log', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  ['delete', 'write'],
  ['git_commit', 'write'],
  ['shell', 'execute'],
  ['run_tests', 'execute'],
  ['web_fetch', 'network'],
  ['web_search', 'network'],
  ['notes', 'talk'],
  ['ask_user', 'talk'],
  ['skill', 'read'],
]);
