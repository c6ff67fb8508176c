/** A session's MCP servers and command sandbox, as its external agent receives them. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { fixedTools, type Surroundings } from '../../src/assembly/tools/session-tools.ts';
import { createBubblewrap } from '../../src/security/sandbox/bubblewrap.ts';
import { createNoSandbox } from '../../src/security/sandbox/sandbox.ts';
import { startHttpServer } from '../fixtures/mcp-http-server/start-http-server.ts';
import { open, reportsOf, rule } from './hosted-scene.ts';
import { bubblewrap, skipped } from '../fixtures/bubblewrap.ts';

const stdioServer = fileURLToPath(new URL('../fixtures/mcp-server.ts', import.meta.url));

const within = (surroundings: Surroundings) => ({ ...fixedTools([]), surroundings: () => surroundings });

describe('MCP servers of the session [C89]', () => {
  test('are called by the agent itself, in every transport that it has, also once it is started again', async () => {
    await using server = await startHttpServer('right');
    const headers = { 'x-key': 'right' };
    const { session, rondo, start } = await open({
      flags: ['--mcp', 'http,sse', '--load'],
      tools: within({
        mcpServers: {
          local: { command: process.execPath, args: [stdioServer, 'good'] },
          placed: { command: process.execPath, args: ['mcp-server.ts', 'good'], cwd: path.dirname(stdioServer) },
          web: { url: server.url, headers },
          old: { type: 'sse', url: new URL('/sse', server.url).href, headers },
          off: { command: 'nothing', disabled: true },
        },
      }),
    });
    const prompt = 'mcp local one\nmcp placed two\nmcp web three\nmcp old four\nmcp off five';
    const said = [
      '[{"type":"text","text":"one"}]',
      '[{"type":"text","text":"two"}]',
      '[{"type":"text","text":"echo: three"}]',
      '[{"type":"text","text":"echo: four"}]',
      'no server off',
    ].join('');

    expect((await session.chat(prompt)).text).toBe(said);
    await rondo.close();
    const again = await (await start()).sessions.open(session.id);

    expect((await again.chat(prompt)).text).toBe(said);
  });

  test('over a transport that the agent lacks, or with tools that may not be used, are left out; no secret is recorded', async () => {
    const { session } = await open({
      tools: within({
        mcpServers: {
          local: { command: 'tickets', env: { TOKEN: 'hidden-1' } },
          web: { url: 'http://127.0.0.1:9/', headers: { authorization: 'hidden-2' } },
          old: { type: 'sse', url: 'http://127.0.0.1:9/' },
          part: { command: 'part', excludeTools: ['delete'] },
        },
      }),
    });

    const reply = await session.chat('servers');

    expect(reply.text).toBe(
      '[{"name":"local","command":"tickets","args":[],"env":[{"name":"TOKEN","value":"hidden-1"}]}]',
    );
    const reports = (await reportsOf(session)).filter(({ type }) => type !== 'message');
    expect(reports).toEqual([
      { type: 'session', agent: 'fixture', id: expect.any(String) as string, how: 'started' },
      ...[
        'web: it takes none over http',
        'old: it takes none over sse',
        'part: the agent would make its calls itself, past the rules on its tools',
      ].map((what) => ({
        type: 'notice',
        severity: 'warning',
        text: `fixture was not given the MCP server ${what}.`,
      })),
    ]);
    expect(JSON.stringify(reports)).not.toMatch(/hidden/);
  });

  test.for([
    ['deny', 'mcp__local__delete', false],
    ['ask', 'mcp__local__*', false],
    ['deny', 'mcp__*', false],
    ['allow', 'mcp__local__delete', true],
    ['deny', 'mcp__other__*', true],
  ] as const)(
    '[S10] are given to the agent unless a rule holds their calls: %s %s',
    async ([verdict, tool, isGiven]) => {
      const { session } = await open({
        rules: [rule(verdict, tool)],
        tools: within({ mcpServers: { local: { command: 'tickets' } } }),
      });

      expect((await session.chat('servers')).text).toBe(
        isGiven ? '[{"name":"local","command":"tickets","args":[],"env":[]}]' : '[]',
      );
    },
  );

  test('are not given to an agent that may use listed tools alone', async () => {
    const { rondo, cwd } = await open({ tools: within({ mcpServers: { local: { command: 'tickets' } } }) });
    const session = await rondo.sessions.create({ agent: 'fixture', cwd, tools: { only: ['shell'] } });

    expect((await session.chat('servers')).text).toBe('[]');
  });
});

describe("the agent's terminals, where commands run in a sandbox [C53]", () => {
  const rules = [rule('allow', 'shell(*)')];
  const outside = path.join(path.dirname(stdioServer), 'written-by-agent');

  test.skipIf(bubblewrap === undefined)(`run in it too${skipped}`, async () => {
    const { session, cwd } = await open({
      rules,
      tools: within({
        mcpServers: {},
        sandbox: { port: createBubblewrap({ program: bubblewrap ?? '' }), level: 'workspace-no-network' },
      }),
    });

    await writeFile(path.join(cwd, 'reach-out.sh'), `touch ${outside}`);

    const reply = await session.chat('terminal touch inside\nterminal ls inside\nterminal sh reach-out.sh');

    const [made, listed, refused] = reply.text
      .split(/(?<=\})(?=\{)/)
      .map(
        (text) =>
          JSON.parse(text) as { readonly output: string; readonly exitStatus: { readonly exitCode: number } },
      );
    expect(made?.exitStatus.exitCode).toBe(0);
    expect(listed?.output).toBe('inside\n');
    expect([refused?.exitStatus.exitCode, refused?.output]).toEqual([1, expect.stringContaining('cannot touch')]);
    expect(existsSync(outside)).toBe(false);
  });

  test('are refused where it cannot be had', async () => {
    const { session } = await open({
      rules,
      tools: within({
        mcpServers: {},
        sandbox: { port: createNoSandbox('there is none', 'install one'), level: 'workspace' },
      }),
    });

    expect((await session.chat('terminal ls')).text).toBe(
      "no terminal: Commands must run in a sandbox, but it isn't available: there is none. To fix it: install one",
    );
  });
});
