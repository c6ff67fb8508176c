import { expect, test } from 'vitest';

import { rulesFromOpencode, serversInOpencode } from './opencode-rules.ts';

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

test('[C144] MCP servers of OpenCode become servers of ours', () => {
  const mcp = {
    local: { type: 'local', command: ['npx', '-y', 'server'], environment: { KEY: '1' }, enabled: false },
    remote: { type: 'remote', url: 'https://mcp.example/' },
  };
  expect(serversInOpencode({ mcp })).toEqual({
    local: { type: 'local', command: 'npx', args: ['-y', 'server'], env: { KEY: '1' }, enabled: false },
    remote: { type: 'remote', url: 'https://mcp.example/' },
  });
  expect(serversInOpencode('x')).toEqual({});
});
