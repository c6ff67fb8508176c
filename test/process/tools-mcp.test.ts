import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { afterAll, describe, expect, test } from 'vitest';

import { acceptMcpServer, createMcpPinFile } from '../../src/assembly/tools/mcp-pin-file.ts';
import type { AgentAnswer } from '../../src/kernel/agent-request.ts';
import { optional } from '../../src/kernel/optional.ts';
import type { Sampled, SampleRequest, ToolQuestion, ToolRun } from '../../src/ports/tool.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { createBubblewrap } from '../../src/security/sandbox/bubblewrap.ts';
import { createToolWorkspace, toolContract } from '../../src/testing/contracts/tool-contract.ts';
import { createFakeClock } from '../../src/testing/fake-clock.ts';
import { temporaryFolder } from '../../src/testing/temporary-folder.ts';
import { createMcpServers, type McpServersDeps } from '../../src/tools/mcp/mcp-servers.ts';
import { serverTexts } from '../../src/tools/mcp/read-server-texts.ts';
import { mcpToolName } from '../../src/tools/mcp/mcp-tool.ts';
import { mcpServersConfig } from '../../src/tools/mcp/server-config.ts';
import { isRunning, processesWith } from '../running-processes.ts';
import { bubblewrap, skipped } from '../fixtures/bubblewrap.ts';
import { listenLocally } from '../fixtures/local-server.ts';

const FIXTURE = fileURLToPath(new URL('../fixtures/mcp-server.ts', import.meta.url));
const realClock = createSystemClock();
let logs = 0;

async function open(
  behaviour: string,
  options: {
    readonly shared?: boolean;
    readonly timeout?: number;
    readonly includeTools?: readonly string[];
    readonly excludeTools?: readonly string[];
  } & Partial<McpServersDeps> = {},
) {
  const { shared, timeout, includeTools, excludeTools, ...deps } = options;
  logs += 1;
  const log = path.join(tmpdir(), `rondo-mcp-${process.pid}-${logs}`);
  const entry = {
    command: process.execPath,
    args: [FIXTURE, behaviour, log],
    ...optional({ shared, timeout, includeTools, excludeTools }),
  };
  const servers = createMcpServers({
    config: mcpServersConfig.parse({ fixture: entry }),
    clock: realClock,
    ...deps,
  });
  const workspace = await createToolWorkspace();
  const session = servers.open({ id: `ses_mcp${logs}`, cwd: workspace.root });
  const call = async (tool: string, args: unknown = {}, signal?: AbortSignal) => {
    const { tools } = await session.tools();
    const found = tools.find(({ name }) => name === `mcp__fixture__${tool}`);
    if (found === undefined) throw new Error(`no tool ${tool}`);
    return await found.run(args, workspace.run(signal));
  };
  return {
    servers,
    session,
    call,
    /** Pids of the server, one per start. */
    starts: async () => (existsSync(log) ? (await readFile(log, 'utf8')).trim().split('\n').map(Number) : []),
    [Symbol.asyncDispose]: async () => {
      await servers.close();
      await workspace[Symbol.asyncDispose]();
      await rm(log, { force: true });
    },
  };
}

describe('an MCP server', () => {
  test('is started on first use, lists its tools and answers calls', async () => {
    await using world = await open('good');
    expect(await world.starts()).toEqual([]);
    const { tools, problems } = await world.session.tools();
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual([
      'mcp__fixture__echo',
      'mcp__fixture__fail',
      'mcp__fixture__pid',
    ]);
    expect(await world.call('echo', { text: 'hello' })).toEqual({ type: 'success', output: 'hello' });
    expect(await world.call('fail')).toEqual({ type: 'error', code: 'mcp-error', message: 'it went wrong' });
    expect(await world.starts()).toHaveLength(1);
    expect(world.session.status()).toEqual([{ name: 'fixture', state: 'ready' }]);
  });

  test('[S10] offers what its configuration leaves of its tools, and a name that fits none is reported', async () => {
    await using world = await open('good', { includeTools: ['echo', 'pid'], excludeTools: ['pid', 'fial'] });
    const { tools, problems } = await world.session.tools();
    expect(tools.map(({ name }) => name)).toEqual(['mcp__fixture__echo']);
    expect(problems).toEqual([
      'MCP server fixture has no tool "fial", which its configuration names. Did you mean "fail"?',
    ]);
  });

  test('has resources and prompts', async () => {
    await using world = await open('good');
    expect(await world.session.resources()).toMatchObject({
      items: [{ server: 'fixture', item: { uri: 'note://one' } }],
      problems: [],
    });
    expect(await world.session.readResource('fixture', 'note://one')).toEqual({
      type: 'answered',
      value: [{ uri: 'note://one', mimeType: 'text/plain', text: 'a resource' }],
    });
    expect(await world.session.prompts()).toMatchObject({
      items: [{ server: 'fixture', item: { name: 'greet' } }],
    });
    expect(await world.session.getPrompt('fixture', 'greet', { who: 'you' })).toEqual({
      type: 'answered',
      value: 'Hello you',
    });
    expect(await world.session.getPrompt('other', 'greet', {})).toMatchObject({
      type: 'failed',
      code: 'mcp-unavailable',
    });
  });

  test('[C140] asks the person of the running call, shows an address with its host and never another kind', async () => {
    await using world = await open('asks', { timeout: 1_500 });
    await using workspace = await createToolWorkspace();
    const { tools } = await world.session.tools();
    const asked: ToolQuestion[] = [];
    const said: string[] = [];
    const run = async (tool: string, answer: AgentAnswer, waitMs = 0) => {
      const context: ToolRun = {
        ...workspace.run(),
        progress: (text) => void said.push(text),
        ask: async (question) => {
          asked.push(question);
          await sleep(waitMs);
          return answer;
        },
      };
      const end = await tools.find(({ name }) => name === `mcp__fixture__${tool}`)?.run({}, context);
      return end?.type === 'success' && typeof end.output === 'string' ? JSON.parse(end.output) : end;
    };
    // A person may take longer than the call's timeout.
    expect(await run('form', { type: 'form', form: { branch: 'main' } }, 2_000)).toEqual({
      action: 'accept',
      content: { branch: 'main' },
    });
    expect(await run('form', { type: 'declined' })).toEqual({ action: 'decline' });
    expect(await run('visit', { type: 'form', form: {} })).toMatchObject({ action: 'accept' });
    expect(await run('lure', { type: 'form', form: {} })).toEqual({ action: 'decline' });
    expect(asked.map(({ title, url }) => [title, url])).toEqual([
      ['MCP server fixture asks: Which branch?', undefined],
      ['MCP server fixture asks: Which branch?', undefined],
      ['MCP server fixture asks you to visit pay.example: Pay here', 'https://pay.example/42'],
    ]);
    expect(await run('roots', { type: 'declined' })).toEqual({
      roots: [{ uri: pathToFileURL(workspace.root).href }],
    });
    expect(said[0]).toBe('info: asking\n');
  });

  test('[C140] uses the model of the running call with text alone, and hears why it may not', async () => {
    await using world = await open('asks', { timeout: 1_500 });
    await using workspace = await createToolWorkspace();
    const { tools } = await world.session.tools();
    const asked: SampleRequest[] = [];
    const run = async (tool: string, answer: Sampled) => {
      const sample = async (request: SampleRequest) => {
        asked.push(request);
        return answer;
      };
      const context: ToolRun = { ...workspace.run(), sample };
      const end = await tools.find(({ name }) => name === `mcp__fixture__${tool}`)?.run({}, context);
      return end?.type === 'success' && typeof end.output === 'string' ? JSON.parse(end.output) : end;
    };
    expect(await run('think', { type: 'completed', text: 'a thought', model: 'm', isCut: false })).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'a thought' },
      model: 'm',
      stopReason: 'endTurn',
    });
    expect(asked).toEqual([
      {
        server: 'fixture',
        system: 'Be brief.',
        messages: [{ role: 'user', text: 'say a thought' }],
        maxTokens: 50,
      },
    ]);
    expect(await run('think', { type: 'refused', message: 'No budget.' })).toEqual({
      code: -1,
      message: 'No budget.',
    });
    expect(await run('look', { type: 'refused', message: 'unused' })).toEqual({
      code: -1,
      message: 'Rondo samples with text alone.',
    });
    expect(asked).toHaveLength(2);
  });

  test('[C140] offers its prompts as commands and its resources as mentions, and says what is missing', async () => {
    await using world = await open('good');
    const texts = serverTexts(world.session, (text) => text.replace('resource', '[redacted]'));
    expect(await texts.commands()).toEqual([
      { name: 'mcp__fixture__greet', summary: 'greet', hint: 'who', from: 'mcp' },
    ]);
    expect(await texts.mentions()).toEqual([{ mention: 'fixture:note://one', title: 'One' }]);
    const greeting = (content: string) => [{ name: '/mcp__fixture__greet', mediaType: 'text/markdown', content }];
    expect(await texts.expand('/mcp__fixture__greet Ada and Bob')).toEqual(greeting('Hello Ada and Bob'));
    expect(await texts.expand('/mcp__fixture__greet who="Ada L."')).toEqual(greeting('Hello Ada L.'));
    expect(await texts.expand('/mcp__fixture__greet')).toBe('Prompt greet needs who (a name).');
    expect(await texts.expand('/mcp__fixture__great Ada')).toBe(
      'Unknown command /mcp__fixture__great. Type /help to list the commands.',
    );
    expect(
      await texts.expand('compare (@fixture:note://one) with @fixture:note://one, and mail me@fixture:x'),
    ).toEqual([{ name: '@fixture:note://one', mediaType: 'text/plain', content: 'a [redacted]' }]);
    expect(await texts.expand('see @fixture:note://none')).toContain('MCP server fixture returned an error');
    expect(await texts.expand('see @other:note://one, /mcp__other__x and me@home')).toBeUndefined();
    expect(await texts.expand('/mcp__other__x')).toBeUndefined();
  });

  test('[C140] [S15] that adds a tool while it runs offers it in the next step, or once it is accepted', async () => {
    await using home = await temporaryFolder();
    const pins = createMcpPinFile(home.folder);
    for (const [more, isOffered] of [
      [{}, true],
      [{ pins }, false],
    ] as const) {
      await using world = await open('grows', more);
      await world.call('grow');
      const { tools, problems } = await world.session.tools();
      expect(tools.some(({ name }) => name === 'mcp__fixture__grown')).toBe(isOffered);
      expect(problems.join()).toContain(isOffered ? '' : 'Withheld: grown');
    }
  });

  test('[S15] that offers something else after a restart has it withheld until a person accepts it', async () => {
    await using home = await temporaryFolder();
    const pins = createMcpPinFile(home.folder);
    const clock = createFakeClock();
    await using world = await open('turns', { pins, clock, idleMs: 1_000 });
    const offered = async () => {
      const { tools, problems } = await world.session.tools();
      const prompts = await world.session.prompts();
      return {
        tools: tools.map(({ name }) => name),
        prompts: prompts.items.map(({ item }) => item.name),
        prompt: (await world.session.getPrompt('fixture', 'greet', { who: 'you' })).type,
        problems: [...problems, ...prompts.problems],
      };
    };
    const restart = async () => {
      await clock.advance(1_100);
      await expect.poll(() => world.session.status()[0]?.state).toBe('asleep');
    };
    const everything = {
      tools: ['mcp__fixture__echo', 'mcp__fixture__fail', 'mcp__fixture__pid'],
      prompts: ['greet'],
      prompt: 'answered',
      problems: [],
    };
    expect(await offered()).toEqual(everything);
    await restart();
    const withheld = (what: string) =>
      `MCP server fixture changed since its first use. Withheld: ${what}. Accept the change with: rondo trust --mcp fixture`;
    expect(await offered()).toEqual({
      tools: ['mcp__fixture__fail', 'mcp__fixture__pid'],
      prompts: [],
      prompt: 'failed',
      problems: [withheld('echo'), withheld('instructions'), withheld('prompts greet')],
    });
    expect(await acceptMcpServer(home.folder, 'fixture')).toBe(true);
    expect(await offered()).toEqual(everything);
  });

  test('C46: its tools are guarded whatever it says about them', async () => {
    await using world = await open('good');
    await using workspace = await createToolWorkspace();
    const { tools } = await world.session.tools();
    expect(await tools[0]?.describe({ text: 'x' }, workspace.context())).toEqual({
      access: 'execute',
      grants: ['mcp__fixture__echo'],
      repeat: 'never',
      order: 'parallel',
      runs: 'tool',
    });
  });

  test('that exits at once is reported with what it said, and not started over and over', async () => {
    const clock = createFakeClock();
    await using world = await open('exits', { clock });
    const first = await world.session.tools();
    expect(first.tools).toEqual([]);
    expect(first.problems[0]).toContain('no licence found');
    const second = await world.session.tools();
    expect(second.problems[0]).toContain('Next retry in');
    expect(await world.starts()).toHaveLength(1);
    await clock.advance(1_100);
    await world.session.tools();
    expect(await world.starts()).toHaveLength(2);
  });

  test('that is silent is reported after the limit and leaves no process', async () => {
    await using world = await open('silent', { startMs: 800 });
    const { problems } = await world.session.tools();
    expect(problems[0]).toContain("isn't available");
    expect(await Promise.all((await world.starts()).map(isRunning))).not.toContain(true);
  });

  test('that writes other things on its output is understood all the same', async () => {
    await using world = await open('garbage');
    expect(await world.call('echo', { text: 'through the noise' })).toEqual({
      type: 'success',
      output: 'through the noise',
    });
  });

  test('P6: that dies in mid-call is an error result, and the next call starts it again', async () => {
    const clock = createFakeClock();
    await using world = await open('dies', { clock });
    expect(await world.call('echo', { text: 'x' })).toMatchObject({ type: 'error', code: 'mcp-died' });
    await expect.poll(() => world.session.status(), { timeout: 10_000 }).toMatchObject([{ state: 'resting' }]);
    await clock.advance(1_500);
    expect((await world.session.tools()).tools).toHaveLength(3);
    expect(await world.starts()).toHaveLength(2);
  });

  test('P6: that never answers a call costs the timeout of the call, and cancelling less', async () => {
    await using world = await open('mute', { timeout: 2_500 });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 700);
    const started = performance.now();
    expect(await world.call('echo', {}, controller.signal)).toEqual({ type: 'cancelled' });
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(await world.call('echo')).toMatchObject({ type: 'error', code: 'mcp-timed-out' });
  });

  test('P6: is ended with its session, with everything it started', async () => {
    await using world = await open('helper');
    await world.session.tools();
    const marker = `ses_mcp${logs}`;
    await expect.poll(async () => (await markedFor(marker)).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
    await world.session.close();
    expect(await markedFor(marker)).toEqual([]);
    expect((await world.session.tools()).problems[0]).toContain('ended with its session');
  });

  test('O6: is started again for a newer owner, under its epoch and when the older one is gone', async () => {
    await using world = await open('good');
    const place = { id: `ses_mcp${logs}`, cwd: '/' };
    await world.servers.open({ ...place, epoch: 1 }).tools();
    const [older] = await processesWith('RONDO_EPOCH', '1').then((all) => markedAmong(all, place.id));
    expect((await world.servers.open({ ...place, epoch: 2 }).tools()).problems).toEqual([]);
    expect(await isRunning(older ?? 0)).toBe(false);
    const newer = await processesWith('RONDO_EPOCH', '2').then((all) => markedAmong(all, place.id));
    expect(await markedFor(place.id)).toEqual(newer);
    // Callers that aren't its owner use the existing connection.
    await world.servers.open(place).tools();
    expect(await markedFor(place.id)).toEqual(newer);
    expect(world.servers.keeps(place.id)).toBe(true);
    await world.servers.leave(place.id);
    expect([await markedFor(place.id), world.servers.keeps(place.id)]).toEqual([[], false]);
  });

  test('is ended when nobody calls it for its idle time', async () => {
    const clock = createFakeClock();
    await using world = await open('good', { clock, idleMs: 600_000 });
    await world.session.tools();
    const [pid = 0] = await world.starts();
    await clock.advance(599_000);
    expect(await isRunning(pid)).toBe(true);
    await clock.advance(2_000);
    expect(world.session.status()).toEqual([{ name: 'fixture', state: 'asleep' }]);
    // Starts at once, while the previous server is still ending.
    expect(await world.call('echo', { text: 'again' })).toMatchObject({ type: 'success' });
    expect(await isRunning(pid)).toBe(false);
    await sleep(500);
    expect(await world.call('echo', { text: 'still' })).toMatchObject({ type: 'success' });
    expect(await world.starts()).toHaveLength(2);
  });

  test('that is shared serves several sessions with one process, and outlives each of them', async () => {
    await using world = await open('good', { shared: true });
    const other = world.servers.open({ id: 'ses_other', cwd: '/' });
    await Promise.all([world.session.tools(), other.tools()]);
    expect(await world.starts()).toHaveLength(1);
    await world.session.close();
    expect((await other.tools()).tools).toHaveLength(3);
    const [pid = 0] = await world.starts();
    await world.servers.close();
    expect(await isRunning(pid)).toBe(false);
  });

  test('that is disabled or not installed harms nobody', async () => {
    const config = mcpServersConfig.parse({
      off: { command: 'x', disabled: true },
      missing: { command: 'rondo-no-such-server' },
    });
    const servers = createMcpServers({ config, clock: realClock });
    const { tools, problems } = await servers.open({ id: 'ses_missing', cwd: '/' }).tools();
    expect(tools).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('ENOENT');
    await servers.close();
  });

  test('is reached over HTTP with its headers, and refuses as plainly when it is not there', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['x-key']?.toString());
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end();
        const { id, method, params } = JSON.parse(body) as {
          id?: number;
          method: string;
          params?: { protocolVersion?: string };
        };
        if (id === undefined) return response.writeHead(202).end();
        const results: Readonly<Record<string, unknown>> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'h', version: '1' },
          },
          'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] },
          'tools/call': { content: [{ type: 'text', text: 'over http' }] },
        };
        const result = results[method];
        const answer =
          result === undefined ? { error: { code: -32_601, message: 'Method not found' } } : { result };
        return response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    await using listening = await listenLocally(server);
    const config = mcpServersConfig.parse({
      web: { url: `${listening.url}/mcp`, headers: { 'x-key': 'k' } },
      gone: { url: 'http://127.0.0.1:9/mcp' },
    });
    const servers = createMcpServers({ config, clock: realClock });
    await using workspace = await createToolWorkspace();
    const { tools, problems } = await servers.open({ id: 'ses_http', cwd: '/' }).tools();
    expect(tools.map(({ name }) => name)).toEqual(['mcp__web__hello']);
    expect(problems).toHaveLength(1);
    expect(await tools[0]?.describe({}, workspace.context())).toMatchObject({ access: 'network' });
    expect(await tools[0]?.run({}, workspace.run())).toEqual({ type: 'success', output: 'over http' });
    expect(new Set(seen)).toEqual(new Set(['k']));
    await servers.close();
  });
});

test('names are those providers take, and stay apart when cut', () => {
  expect(mcpToolName('a', 'b')).toBe('mcp__a__b');
  const long = ['x'.repeat(80), `${'x'.repeat(79)}y`].map((tool) => mcpToolName('server', tool));
  expect(new Set(long).size).toBe(2);
  for (const name of [...long, mcpToolName('s', 'dots.and/slashes')]) expect(name).toMatch(/^[\w-]{1,64}$/);
});

const opened: AsyncDisposable[] = [];
afterAll(() => Promise.all(opened.map((world) => world[Symbol.asyncDispose]())));

toolContract('an MCP tool', async (workspace) => {
  const world = await open('good');
  opened.push(world);
  const { tools } = await world.session.tools();
  const [tool] = tools;
  if (tool === undefined) throw new Error(`no tool in ${workspace.root}`);
  return { tool, good: { text: 'x' }, bad: [1] };
});

const markedFor = (session: string) => processesWith('RONDO_SESSION', session);

async function markedAmong(pids: readonly number[], session: string): Promise<readonly number[]> {
  const marked = await markedFor(session);
  return pids.filter((pid) => marked.includes(pid));
}

describe.skipIf(bubblewrap === undefined)(`safety S8g: a project's server in the sandbox${skipped}`, () => {
  const sandboxed = async (folders: readonly string[]) => {
    const workspace = await createToolWorkspace();
    const port = createBubblewrap({ program: bubblewrap ?? '' });
    const entry = { command: process.execPath, args: [FIXTURE, 'good', '/dev/null'], folders };
    const servers = createMcpServers({
      config: mcpServersConfig.parse({ fixture: entry }),
      clock: realClock,
      sandboxOf: () => ({ port, level: 'auto' }),
    });
    const session = servers.open({ id: 'ses_confined', cwd: workspace.root });
    const { tools, problems } = await session.tools();
    const pid = tools.find(({ name }) => name === 'mcp__fixture__pid');
    const answer = await pid?.run({}, workspace.run());
    await servers.close();
    await workspace[Symbol.asyncDispose]();
    return { answer, problems };
  };

  test('answers from a separate process namespace, with the folders that it declares', async () => {
    const { answer, problems } = await sandboxed([path.dirname(FIXTURE)]);
    expect(problems).toEqual([]);
    expect(answer).toMatchObject({ type: 'success', output: expect.stringMatching(/^\d$/) });
  });

  test('does not see a folder that it does not declare', async () => {
    const { answer, problems } = await sandboxed([]);
    expect(answer).toBeUndefined();
    expect(problems[0]).toContain('MODULE_NOT_FOUND');
  });
});
