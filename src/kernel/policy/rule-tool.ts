import { isCallSet } from '../call-set.ts';
import { nearestName } from '../nearest-name.ts';
import { optional } from '../optional.ts';
import { matchesTool, type Rule } from '../rule.ts';

export const builtInTools: readonly string[] = [
  'read',
  'write',
  'edit',
  'delete',
  'list',
  'glob',
  'grep',
  'shell',
  'git_status',
  'git_diff',
  'git_log',
  'git_commit',
  'run_tests',
  'web_fetch',
  'web_search',
  'notes',
  'ask_user',
  'delegate',
  'decide',
  'recall',
  'skill',
  'sampling',
];

/** Why a rule's tool can never match, or undefined. */
export function ruleToolProblem(
  rule: Pick<Rule, 'tool'>,
  others: readonly string[] = [],
): { readonly message: string; readonly nearest?: string } | undefined {
  const { tool } = rule;
  const names = [...builtInTools, ...others];
  // Tools of MCP servers are known once they connect, those of external agents once they are called.
  if (tool === '*' || isCallSet(tool) || tool.startsWith('mcp__') || tool.includes(':')) return undefined;
  if (names.some((name) => matchesTool({ ...rule, verdict: 'deny', origin: 'built-in' }, name))) return undefined;
  const nearest = otherNames.get(tool.toLowerCase()) ?? nearestName(tool, names);
  const hint = nearest === undefined ? `; the tools are ${names.join(', ')}` : `; did you mean "${nearest}"?`;
  return { message: `unknown tool "${tool}"${hint}`, ...optional({ nearest }) };
}

/** Names that other agents use. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['bash', 'shell'],
  ['sh', 'shell'],
  ['exec', 'shell'],
  ['command', 'shell'],
  ['terminal', 'shell'],
  ['run', 'shell'],
  ['cat', 'read'],
  ['view', 'read'],
  ['ls', 'list'],
  ['search', 'grep'],
  ['rg', 'grep'],
  ['find', 'glob'],
  ['patch', 'edit'],
  ['multiedit', 'edit'],
  ['create', 'write'],
  ['rm', 'delete'],
  ['remove', 'delete'],
  ['fetch', 'web_fetch'],
  ['webfetch', 'web_fetch'],
  ['websearch', 'web_search'],
  ['test', 'run_tests'],
  ['task', 'delegate'],
  ['agent', 'delegate'],
]);
