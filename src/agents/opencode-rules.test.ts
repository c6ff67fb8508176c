import { expect, test } from 'vitest';

import { rulesFromOpencode } from './opencode-rules.ts';

test('[C144] [S10] what OpenCode denies or asks about becomes a rule; a lost exception is reported', () => {
  const config = {
    permission: {
      bash: { '*': 'allow', 'git push *': 'deny', 'git push origin *': 'allow', 'npm *': 'ask' },
      edit: { '*': 'deny', 'docs/*.md': 'allow' },
      read: { '*.env': 'deny' },
      webfetch: 'ask',
      doom_loop: 'ask',
      lsp: 'deny',
    },
    tools: { write: false, bash: true },
  };
  expect(rulesFromOpencode(config)).toEqual({
    rules: {
      allow: [],
      ask: ['shell(npm *)', 'web_fetch'],
      deny: [
        'shell(git push *)',
        'edit(**)',
        'write(**)',
        'delete(**)',
        'read(**.env)',
        'edit(**)',
        'write(**)',
        'delete(**)',
      ],
    },
    unknown: [
      { list: 'permission.bash', text: 'git push origin *: allow' },
      { list: 'permission.edit', text: 'docs/*.md: allow' },
      { list: 'permission.lsp', text: '*: deny' },
    ],
  });
  expect(rulesFromOpencode({ permission: 'deny' }).rules.deny).toEqual(['*']);
  expect(rulesFromOpencode(undefined).rules).toEqual({ allow: [], ask: [], deny: [] });
});

test('[C144] [S10] what OpenCode forbids of its MCP servers', () => {
  const { rules, unknown } = rulesFromOpencode({
    mcp: { tickets: {}, 'big-one': {} },
    tools: { 'big-one_*': false, 'tickets*': false },
    permission: { tickets_delete: 'deny', tickets_close: { '*': 'ask' }, other_delete: 'deny' },
  });
  expect([rules, unknown]).toEqual([
    {
      allow: [],
      ask: ['mcp__tickets__close'],
      deny: ['mcp__tickets__delete', 'mcp__big-one__*', 'mcp__tickets__*'],
    },
    [{ list: 'permission.other_delete', text: '*: deny' }],
  ]);
});
