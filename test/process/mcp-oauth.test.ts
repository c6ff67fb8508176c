import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createMcpLoginFile, mcpLoginSecrets } from '../../src/assembly/tools/mcp-login-file.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { temporaryFolder } from '../../src/testing/temporary-folder.ts';
import { logInToMcpServer } from '../../src/tools/mcp/mcp-login.ts';
import { createMcpServers } from '../../src/tools/mcp/mcp-servers.ts';
import type { McpHttpConfig } from '../../src/tools/mcp/server-config.ts';
import { startOAuthServer } from '../fixtures/oauth-mcp-server.ts';

async function open(more: Partial<McpHttpConfig> = {}) {
  const server = await startOAuthServer();
  const home = await temporaryFolder();
  const workspace = await createToolWorkspace();
  const credentials = createMcpLoginFile(home.folder);
  const config: McpHttpConfig = { url: server.url, ...more };
  const servers = createMcpServers({ config: { web: config }, clock: createSystemClock(), credentials });
  const session = servers.open({ id: 'ses_oauth', cwd: '/' });
  return {
    server,
    home: home.folder,
    credentials,
    config,
    session,
    login: (browse: (address: URL) => Promise<unknown> = server.allow) =>
      logInToMcpServer({
        config,
        credentials,
        signal: AbortSignal.timeout(10_000),
        show: ({ address }) => void browse(address).catch(() => undefined),
      }),
    async call() {
      const { tools, problems } = await session.tools();
      return tools[0] === undefined ? problems : await tools[0].run({}, workspace.run());
    },
    async [Symbol.asyncDispose]() {
      await servers.close();
      await Promise.all([server, home, workspace].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

const needsLogin = "MCP server web isn't available: it needs you to log in. Run: rondo mcp login web";

test('[C140] a server that wants a login is asked once, then waits for a person', async () => {
  await using world = await open();
  expect(await world.call()).toEqual([needsLogin]);
  expect(world.session.status()).toEqual([
    { name: 'web', state: 'needs-login', problem: 'it needs you to log in' },
  ]);
  const before = world.server.seen.length;
  expect(await world.call()).toEqual([needsLogin]);
  expect(world.server.seen).toHaveLength(before);
});

test('[C140] a login registers Rondo, proves its verifier and is used at once; the file is private', async () => {
  await using world = await open({ headers: { 'x-key': 'mine' } });
  expect(await world.call()).toEqual([needsLogin]);
  expect(await world.login()).toEqual({ type: 'logged-in' });
  expect(await world.call()).toEqual({ type: 'success', output: 'let in' });
  expect(world.server.keysSeen).toEqual([]);
  const file = path.join(world.home, 'mcp-logins.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, 'utf8');
  const secrets = await mcpLoginSecrets(world.home);
  expect(secrets.map((secret) => [secret.slice(0, 3), text.includes(secret)])).toEqual([
    ['at-', true],
    ['rt-', true],
  ]);
});

test('[C140] an expired token is refreshed silently, a revoked one asks for a login', async () => {
  await using world = await open();
  await world.login();
  const [first] = await mcpLoginSecrets(world.home);
  world.server.expire();
  expect(await world.call()).toEqual({ type: 'success', output: 'let in' });
  expect((await mcpLoginSecrets(world.home))[0]).not.toBe(first);
  world.server.revoke();
  expect(await world.call()).toEqual([needsLogin]);
  expect(world.session.status()).toMatchObject([{ state: 'needs-login' }]);
  expect(await world.login()).toEqual({ type: 'logged-in' });
  expect(await world.call()).toEqual({ type: 'success', output: 'let in' });
  expect(world.server.seen.filter((one) => one.startsWith('POST /register'))).toHaveLength(1);
});

test('[C140] a server that wants more rights names them, and the next login asks for them', async () => {
  await using world = await open();
  await world.login();
  world.server.wantScope('write');
  expect(await world.call()).toEqual([
    "MCP server web isn't available: your login lacks rights that it needs (write). Run: rondo mcp login web",
  ]);
  let scope: string | null = null;
  await world.login(async (address) => {
    scope = address.searchParams.get('scope');
    return world.server.allow(address);
  });
  expect(scope).toBe('write');
  expect(await world.call()).toEqual({ type: 'success', output: 'let in' });
});

test("[C140] a configured client isn't registered", async () => {
  await using world = await open({ oauth: { clientId: 'configured' } });
  expect(await world.login()).toEqual({ type: 'logged-in' });
  expect(world.server.seen).not.toContain('POST /register 201');
});

test('[C140] a foreign callback is refused and the login continues', async () => {
  await using world = await open();
  const answers: number[] = [];
  const outcome = await world.login(async (address) => {
    const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
    for (const query of ['?code=stolen&state=guessed', '?error=access_denied', '']) {
      redirect.search = query;
      answers.push((await fetch(redirect)).status);
    }
    await world.server.allow(address);
  });
  expect([answers, outcome]).toEqual([[400, 400, 400], { type: 'logged-in' }]);
});

test.for([['https://evil.example'], []])(
  '[C140] a code that another issuer sends (%j) is not redeemed, and nothing is stored',
  async (issuers) => {
    await using world = await open();
    const outcome = await world.login(async (address) => {
      const answered = await fetch(address, { redirect: 'manual' });
      const redirect = new URL(answered.headers.get('location') ?? '');
      redirect.searchParams.delete('iss');
      for (const issuer of issuers) redirect.searchParams.set('iss', issuer);
      await fetch(redirect);
    });
    expect([outcome.type, await mcpLoginSecrets(world.home)]).toEqual(['failed', []]);
    expect(world.server.seen).not.toContain('POST /token 200');
  },
);

test('[C140] a server that names another login gets none of the tokens of the first one there', async () => {
  await using world = await open();
  await using other = await startOAuthServer();
  await world.login();
  world.server.nameLoginOf(other);
  world.server.expire();
  expect(await world.call()).toEqual([needsLogin]);
  expect(other.seen.filter((one) => one.includes('/token'))).toEqual([]);
});

test('[C140] a port that is taken by now means another redirect address, which is registered anew', async () => {
  await using world = await open();
  await world.login();
  const port = Number(new URL((await world.credentials.get(world.config.url))?.redirectUrl ?? '').port);
  const taken = createServer().listen(port, '127.0.0.1');
  await once(taken, 'listening');
  world.server.revoke();
  expect(await world.call()).toEqual([needsLogin]);
  let redirect = '';
  const outcome = await world.login(async (address) => {
    redirect = address.searchParams.get('redirect_uri') ?? '';
    return world.server.allow(address);
  });
  taken.close();
  expect([outcome, new URL(redirect).port === String(port)]).toEqual([{ type: 'logged-in' }, false]);
  expect(world.server.seen.filter((one) => one.startsWith('POST /register'))).toHaveLength(2);
  expect(await world.call()).toEqual({ type: 'success', output: 'let in' });
});

test('[C140] a refusal is reported by its code only', async () => {
  await using world = await open();
  const outcome = await world.login(async (address) => {
    const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
    const state = address.searchParams.get('state') ?? '';
    const said = { state, error: 'access_denied', error_description: 'call +1 555 0100' };
    redirect.search = new URLSearchParams(said).toString();
    await fetch(redirect);
  });
  expect(outcome).toEqual({ type: 'failed', message: 'The login was refused: access_denied.' });
});
