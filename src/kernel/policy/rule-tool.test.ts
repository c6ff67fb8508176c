import { expect, test } from 'vitest';

import { createDefaultTools } from '../../tools/default-tools.ts';
import { createMemoryNotes } from '../../tools/talk/notes-tool.ts';
import { createReadLedger } from '../../tools/define/read-ledger.ts';
import { builtInTools, ruleToolProblem } from './rule-tool.ts';

test('[S10] rules can name every built-in tool', () => {
  const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });
  expect(tools.map(({ name }) => name).filter((name) => !builtInTools.includes(name))).toEqual([]);
});

test.each([
  ['shel', 'unknown tool "shel"; did you mean "shell"?'],
  ['bash', 'unknown tool "bash"; did you mean "shell"?'],
  ['Edit', 'unknown tool "Edit"; did you mean "edit"?'],
  ['WebFetch', 'unknown tool "WebFetch"; did you mean "web_fetch"?'],
])('[S10] rejects the unknown tool %s and suggests the nearest one', (tool, message) => {
  expect(ruleToolProblem({ tool })?.message).toBe(message);
});

test.each(['shell', 'git', 'web', '*', 'git_*', 'mcp__tickets__create', 'claude:think', 'deploy'])(
  '[S10] %s can be matched',
  (tool) => {
    expect(ruleToolProblem({ tool }, ['deploy'])).toBeUndefined();
  },
);

test.each([
  ['shell', ['bash', 'sh', 'exec', 'command', 'terminal', 'run']],
  ['read', ['cat', 'view']],
  ['list', ['ls']],
  ['grep', ['search', 'rg']],
  ['glob', ['find']],
  ['edit', ['patch', 'MultiEdit']],
  ['write', ['create']],
  ['delete', ['rm', 'remove']],
  ['web_fetch', ['fetch', 'WebFetch']],
  ['web_search', ['WebSearch']],
  ['run_tests', ['test']],
  ['delegate', ['Task', 'agent']],
])('[S10] %s is suggested for what other agents call it: %j', (tool, names) => {
  expect(names.map((name) => ruleToolProblem({ tool: name })?.nearest)).toEqual(names.map(() => tool));
});

test('[S10] lists all tools if no name is close', () => {
  expect(ruleToolProblem({ tool: 'xylophone' }, ['deploy'])).toEqual({
    message: `unknown tool "xylophone"; the tools are ${builtInTools.join(', ')}, deploy`,
  });
});
