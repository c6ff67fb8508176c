import { expect, test } from 'vitest';

import { serversInToml } from './codex-servers.ts';
import { serverEntries, serversInGemini, serversInOpencode, switchedOffByClaude } from './server-entry.ts';

test('[C144] servers of OpenCode, with the variables that they name', () => {
  const mcp = {
    local: {
      type: 'local',
      command: ['npx', '-y', 'server'],
      environment: { KEY: '{env:MY_KEY}' },
      enabled: false,
    },
    remote: { type: 'remote', url: 'https://mcp.example/', headers: { Authorization: 'Bearer {env:TOKEN}' } },
    signedIn: { type: 'remote', url: 'https://mcp.example/', oauth: { clientId: 'c', scope: 'x' } },
    neither: { type: 'remote' },
  };
  expect(serverEntries(serversInOpencode({ mcp }))).toEqual({
    local: { command: 'npx', args: ['-y', 'server'], env: { KEY: '${MY_KEY}' }, disabled: true },
    remote: { url: 'https://mcp.example/', headers: { Authorization: 'Bearer ${TOKEN}' } },
    signedIn: { url: 'https://mcp.example/', oauth: { clientId: 'c' } },
  });
  expect(serversInOpencode('x')).toEqual({});
});

test('[C144] [S10] servers of Gemini CLI, with what its settings switch off and leave out', () => {
  const mcpServers = {
    github: {
      command: 'github-mcp',
      env: { TOKEN: '$GITHUB_TOKEN', HOST: '${GITHUB_HOST}', PRICE: '5$' },
      includeTools: ['search', 'read'],
      excludeTools: ['read'],
    },
    maps: { httpUrl: 'https://maps.example/mcp' },
    other: { command: 'other' },
  };
  expect(serverEntries(serversInGemini({ mcpServers, mcp: { excluded: ['maps'] } }))).toEqual({
    github: {
      command: 'github-mcp',
      env: { TOKEN: '${GITHUB_TOKEN}', HOST: '${GITHUB_HOST}', PRICE: '5$' },
      includeTools: ['search', 'read'],
      excludeTools: ['read'],
    },
    maps: { url: 'https://maps.example/mcp', disabled: true },
    other: { command: 'other' },
  });
  const allowed = serverEntries(serversInGemini({ mcpServers, mcp: { allowed: ['other'] } }));
  expect(Object.entries(allowed).map(([name, { disabled }]) => [name, disabled])).toEqual([
    ['github', true],
    ['maps', true],
    ['other', undefined],
  ]);
  expect(serversInGemini(undefined)).toEqual({});
});

test('[C144] [S10] servers of Codex, with the variables that they receive and the tools that they leave out', () => {
  const text = `
[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS_TOKEN"
http_headers = { "X-Plain" = "1" }
env_http_headers = { "X-Key" = "DOCS_KEY" }
disabled_tools = ["delete"]
[mcp_servers.local]
command = "local"
env_vars = ["LOCAL_KEY"]
enabled_tools = ["find"]
[mcp_servers.local.env]
PLAIN = "1"
`;
  expect(serverEntries(serversInToml(text))).toEqual({
    docs: {
      url: 'https://docs.example/mcp',
      headers: { 'X-Plain': '1', 'X-Key': '${DOCS_KEY}', Authorization: 'Bearer ${DOCS_TOKEN}' },
      excludeTools: ['delete'],
    },
    local: { command: 'local', env: { LOCAL_KEY: '${LOCAL_KEY:-}', PLAIN: '1' }, includeTools: ['find'] },
  });
});

test('[C144] Claude Code names the servers that are switched off', () => {
  expect(switchedOffByClaude({ disabledMcpjsonServers: ['a', 7] })).toEqual(['a']);
  expect([undefined, { disabledMcpjsonServers: 'a' }].map(switchedOffByClaude)).toEqual([[], []]);
});
