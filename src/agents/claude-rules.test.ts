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
        'Bash(:*)',
      ],
      ask: ['Bash(git push:*)', 'mcp__tickets__close'],
      deny: ['Read(./.env)', 'Edit(//etc/**)', 'NotebookEdit', 7],
    },
    hooks: { PreToolUse: [] },
  };
  expect(rulesFromClaude(settings)).toEqual({
    rules: {
      allow: [
        'shell(npm run test*)',
        'shell(git status)',
        'read',
        'web_fetch(https://example.org/*)',
        'mcp__tickets__*',
      ],
      ask: ['shell(git push*)', 'mcp__tickets__close'],
      deny: ['read(.env)', 'edit(/etc/**)', 'write(/etc/**)', 'delete(/etc/**)'],
    },
    unknown: [
      { list: 'allow', text: 'Bash(:*)' },
      { list: 'deny', text: 'NotebookEdit' },
      { list: 'deny', text: '7' },
    ],
  });
});

test.each([undefined, null, 'x', { permissions: [] }, { permissions: { allow: 'Bash' } }])(
  '[C144] %j has no rules',
  (settings) => {
    expect(rulesFromClaude(settings)).toEqual({ rules: { allow: [], ask: [], deny: [] }, unknown: [] });
  },
);
