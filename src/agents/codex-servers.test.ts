import { expect, test } from 'vitest';

import { serversInToml } from './codex-servers.ts';

test('[C144] servers of Codex are read as it writes them, and other settings are passed over', () => {
  const text = String.raw`
model = "gpt" # a comment with [brackets
[mcp_servers.docs]
command = "npx"
args = [
  "-y", 'docs-mcp', # one per line
  "a \"quoted\" # word",
]
startup_timeout_sec = 20
enabled = true
[mcp_servers.docs.env]
TOKEN = "t"
[mcp_servers."with space"]
url = "https://docs.example/mcp"
http_headers = { "X-Key" = "k", other = 'o' }
when = 1979-05-27T07:32:00Z
[[mcp_servers_of]]
command = "other"
[projects."/home/me"]
command = "not a server"
`;
  expect(serversInToml(text)).toEqual({
    docs: {
      command: 'npx',
      args: ['-y', 'docs-mcp', 'a "quoted" # word'],
      startup_timeout_sec: 20,
      enabled: true,
      env: { TOKEN: 't' },
    },
    'with space': { url: 'https://docs.example/mcp', http_headers: { 'X-Key': 'k', other: 'o' } },
  });
  for (const broken of [
    '[mcp_servers.a]\ncommand = [1, ',
    '[mcp_servers.a',
    'command = "x"',
    '[mcp_servers.a]\nx = {',
  ])
    expect(JSON.stringify(serversInToml(broken))).not.toContain('command');
});
