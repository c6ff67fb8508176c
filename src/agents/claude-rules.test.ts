import { expect, test } from 'vitest';

import { rulesFromClaude } from './claude-rules.ts';

test('[C144] permissions of Claude Code become rules, and those without an equivalent are listed', () => {
  const settings = {
    permissions: {
      allow: [
        'Bash(npm run test:*)',
        'Bash(git status)',
        'Read',
        'WebFetch(domain:example.org)',
        'mcp__tickets',
        'mcp__tickets__get_*',
        'Bash(:*)',
      ],
      ask: ['Bash(git push:*)', 'mcp__tickets__close'],
      deny: ['Read(./.env)', 'Edit(//etc/**)', 'mcp__admin__*', 'Skill(deploy)', 7],
      defaultMode: 'plan',
    },
    hooks: { PreToolUse: [] },
  };
  expect(rulesFromClaude(settings)).toEqual({
    rules: {
      allow: [
        'shell(npm run test *)',
        'shell(git status)',
        'read',
        'web_fetch(https://example.org/*)',
        'mcp__tickets__*',
        'mcp__tickets__get_*',
      ],
      ask: ['shell(git push*)', 'mcp__tickets__close'],
      deny: ['read(.env)', 'read(.env/**)', 'edit(/etc/**)', 'write(/etc/**)', 'delete(/etc/**)', 'mcp__admin__*'],
    },
    unknown: [
      { list: 'allow', text: 'Bash(:*)' },
      { list: 'deny', text: 'Skill(deploy)' },
      { list: 'deny', text: '7' },
      { list: 'defaultMode', text: 'plan' },
      { list: 'hooks', text: 'PreToolUse' },
    ],
  });
});

test('[C144] [S10] an edit that Claude Code allows does not allow a deletion', () => {
  const { rules } = rulesFromClaude({ permissions: { allow: ['Edit', 'Edit(src/**)'] } });
  expect(rules.allow).toEqual(['edit', 'write', 'edit(src/**)', 'write(src/**)']);
});

test.each([
  // A name without a slash is meant in every folder, a folder with all that is in it.
  ['Read(.env)', ['read(**/.env)', 'read(**/.env/**)']],
  ['Read(secrets/)', ['read(**/secrets/**)']],
  ['Read(config/*)', ['read(config/*)', 'read(config/*/**)']],
  ['Read(~/private/**)', ['read(~/private/**)']],
  ['Bash', ['shell', 'run_tests']],
  ['Edit', ['edit(**)', 'write(**)', 'delete(**)']],
  ['Bash(curl:*)', ['shell(curl*)']],
  ['WebFetch(domain:evil.test)', ['web_fetch(http*://evil.test/*)', 'web_fetch(http*://evil.test:*)']],
  ['NotebookEdit', ['edit(**/*.ipynb)', 'write(**/*.ipynb)', 'delete(**/*.ipynb)']],
])('[C144] [S10] what Claude Code denies with %s stays denied: %j', (text, deny) => {
  const { rules, unknown } = rulesFromClaude({ permissions: { deny: [text] } });
  expect([rules.deny, unknown]).toEqual([deny, []]);
});

test('[C144] [S10] a list that is none is reported', () => {
  const { unknown } = rulesFromClaude({ permissions: { deny: 'Bash' } });
  expect(unknown).toEqual([{ list: 'deny', text: 'Bash' }]);
});

test.each([undefined, null, 'x', { permissions: [] }])('[C144] %j has no rules', (settings) => {
  expect(rulesFromClaude(settings)).toEqual({ rules: { allow: [], ask: [], deny: [] }, unknown: [] });
});
