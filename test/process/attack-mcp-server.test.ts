// [C140] [P6] [S15] What an MCP server could do to the process that uses it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';

import { expect, test, vi } from 'vitest';

import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createMcpServers } from '../../src/tools/mcp/mcp-servers.ts';
import { mcpServersConfig, type McpServerConfig } from '../../src/tools/mcp/server-config.ts';
import { listenLocally } from '../fixtures/local-server.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/mcp-server.ts', import.meta.url));
const clock = createSystemClock();

async function open(config: unknown) {
  const servers = createMcpServers({ config: mcpServersConfig.parse({ bad: config }), clock });
  const workspace = await createToolWorkspace();
  const session = servers.open({ id: `ses_bad${Math.random()}`, cwd: workspace.root });
  const progress: string[] = [];
  return {
    session,
    progress,
    async call(tool: string, args: unknown = {}) {
      const { tools, problems } = await session.tools();
      const found = tools.find(({ name }) => name === `mcp__bad__${tool}`);
      if (found === undefined) throw new Error(`no tool ${tool}: ${problems.join('; ')}`);
      return await found.run(args, { ...workspace.run(), progress: (text) => void progress.push(text) });
    },
    [Symbol.asyncDispose]: async () => {
      await servers.close();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

const stdio = (behaviour: string): Partial<McpServerConfig> => ({
  command: process.execPath,
  args: [FIXTURE, behaviour],
});

test('an answer of 100 MB ends the server with a reason, and the next call starts it again', async () => {
  await using world = await open(stdio('attacks'));
  expect(await world.call('huge')).toMatchObject({
    type: 'error',
    message: expect.stringContaining('more than 10 MB') as string,
  });
  const again = async () => expect(await world.call('echo', { text: 'again' })).toMatchObject({ output: 'again' });
  await vi.waitFor(again, { timeout: 20_000, interval: 200 });
});

test('a storm of notifications costs what one call may show, and the call is answered', async () => {
  await using world = await open(stdio('attacks'));
  expect(await world.call('storm')).toMatchObject({ type: 'success', output: 'over' });
  expect(world.progress.join('').length).toBeLessThan(300_000);
  expect(world.progress.join('')).toContain('more was left out');
});

test('an endless line of progress is cut', async () => {
  await using world = await open(stdio('attacks'));
  await world.call('gush');
  expect(world.progress.map((text) => text.length)).toEqual([2002]);
});

test('content that is nested very deep harms nobody', async () => {
  await using world = await open(stdio('attacks'));
  const result = await world.call('nested');
  expect(result.type).toBe('error');
  expect(await world.call('echo', { text: 'again' })).toMatchObject({ type: 'success', output: 'again' });
});

test('more tools than a model can be offered are withheld', async () => {
  await using world = await open(stdio('crowd'));
  const { tools, problems } = await world.session.tools();
  expect(tools.length).toBeLessThanOrEqual(500);
  expect(problems).toEqual([expect.stringContaining('offers 5000 tools')]);
});

async function overHttp(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer(request, response, body));
  });
  const listening = await listenLocally(server);
  return { ...listening, url: `${listening.url}/mcp` };
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

function resultOf({ method, params }: Message): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'h', version: '1' },
      };
    case 'tools/list':
      return { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] };
    case 'tools/call':
      return { content: [{ type: 'text', text: 'over http' }] };
    default:
      return undefined;
  }
}

function respond(
  response: ServerResponse,
  message: Message,
  headers: Readonly<Record<string, string>> = {},
): void {
  const result = resultOf(message);
  const answer = result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }));
}

test('a server over HTTP that was restarted has forgotten the session, and the next call opens another', async () => {
  let life = 1;
  let calls = 0;
  await using server = await overHttp((request, response, body) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(body) as Message;
    if (message.method === 'initialize') return respond(response, message, { 'mcp-session-id': `life-${life}` });
    if (message.method === 'server/discover') return respond(response, message);
    if (request.headers['mcp-session-id'] !== `life-${life}`)
      return response.writeHead(404).end('Session not found');
    if (message.id === undefined) return response.writeHead(202).end();
    if (message.method === 'tools/call') calls += 1;
    return respond(response, message);
  });
  await using world = await open({ url: server.url });
  expect(await world.call('hello')).toMatchObject({ type: 'success', output: 'over http' });
  life = 2;
  expect(await world.call('hello')).toMatchObject({ type: 'success', output: 'over http' });
  expect(calls).toBe(2);
});

test('a redirect to another origin is not followed, and the headers stay here', async () => {
  let strays = 0;
  await using other = await overHttp((_request, response) => {
    strays += 1;
    response.writeHead(404).end();
  });
  await using server = await overHttp((_request, response) =>
    response.writeHead(307, { location: other.url }).end(),
  );
  await using world = await open({ url: server.url, headers: { 'x-key': 'secret' } });
  expect((await world.session.tools()).problems).toHaveLength(1);
  expect(strays).toBe(0);
});

test.for(['application/json', 'text/event-stream'])('100 MB over HTTP as %s are not read', async (type) => {
  let sent = 0;
  await using server = await overHttp((request, response, body) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const message = JSON.parse(body) as Message;
    if (message.method !== 'tools/call')
      return message.id === undefined ? response.writeHead(202).end() : respond(response, message);
    response.writeHead(200, { 'content-type': type });
    response.write(type === 'application/json' ? '{"jsonrpc":"2.0","id":1,"x":"' : 'data: {"x":"');
    const piece = 'x'.repeat(1_000_000);
    const more = (): void => {
      if (sent >= 100_000_000 || response.destroyed) return void response.end();
      sent += piece.length;
      response.write(piece, () => setImmediate(more));
    };
    return more();
  });
  await using world = await open({ url: server.url });
  expect(await world.call('hello')).toMatchObject({
    type: 'error',
    message: expect.stringContaining('more than 32 MB') as string,
  });
  expect(sent).toBeLessThan(60_000_000);
});
