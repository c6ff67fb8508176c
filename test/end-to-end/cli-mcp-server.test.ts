import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';

import { startOAuthServer } from '../fixtures/oauth-mcp-server.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { bareEnv, createCliPlace, type CliPlace } from './cli-process.ts';

const fixture = fileURLToPath(new URL('../fixtures/mcp-server.ts', import.meta.url));

async function connect(
  place: CliPlace,
  words: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [rondoBinary, 'mcp', '--agent', 'testing', ...words],
    cwd: place.project,
    env: { ...bareEnv(place), ...env },
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    async call(name: string, args: Readonly<Record<string, unknown>>) {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      return isError === true ? text : (JSON.parse(text) as Report);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

interface Report {
  readonly session: string;
  readonly state: string;
  readonly answer?: string;
  readonly questions: readonly {
    readonly id: string;
    readonly type: string;
    readonly options?: readonly string[];
  }[];
  readonly sessions?: readonly { readonly session: string }[];
}

function report(value: Report | string): Report {
  if (typeof value === 'string') throw new Error(value);
  return value;
}

test('without a client it says what it waits for', async () => {
  await using place = await createCliPlace();
  expect(await place.rondo('mcp')).toEqual({
    code: 0,
    out: '',
    err: 'rondo mcp: standard input ended before a client sent anything. An MCP client starts this command.\n',
  });
});

test('[C141] an MCP client starts, prompts, reads, lists and cancels sessions, and answers what an agent asks', async () => {
  await using place = await createCliPlace();
  await using mcp = await connect(place);
  const { tools } = await mcp.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'start_session',
    'prompt_session',
    'read_session',
    'list_sessions',
    'cancel_session',
    'answer_question',
  ]);
  const first = report(await mcp.call('start_session', { prompt: 'say hello there' }));
  expect([first.state, first.answer]).toEqual(['idle', 'hello there']);
  const { session } = first;
  expect(report(await mcp.call('prompt_session', { session, prompt: 'say more' })).answer).toBe('more');
  expect(report(await mcp.call('read_session', { session, items: 1 })).session).toBe(session);
  expect(JSON.stringify(await mcp.call('list_sessions', {}))).toContain(session);

  const prompt = 'call ask_user {"question":"Which one?","options":["red","blue"]}\nsay done';
  const asked = report(await mcp.call('prompt_session', { session, prompt }));
  expect(asked).toMatchObject({
    state: 'waiting',
    questions: [{ type: 'clarification', options: ['red', 'blue'] }],
  });
  // The reply to the prompt before isn't this one's.
  expect(asked.answer).toBeUndefined();
  const question = asked.questions[0]?.id ?? '';
  const settled = report(await mcp.call('answer_question', { session, question, option: 'red' }));
  expect([settled.state, settled.answer, settled.questions]).toEqual(['idle', 'done', []]);
  expect(await mcp.call('read_session', { session: 'ses_nothing' })).toContain('ses_nothing');
});

const write = 'call write {"path":"made.txt","content":"x"}\nsay done';

test('[C141] [S19] approvals stay with people; a client may say no', async () => {
  await using place = await createCliPlace();
  await using mcp = await connect(place);
  const { session, questions } = report(await mcp.call('start_session', { prompt: write }));
  const question = questions[0]?.id ?? '';
  expect(await mcp.call('answer_question', { session, question, choice: 'allow-once' })).toContain(
    'A person answers this question',
  );
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
  expect(report(await mcp.call('answer_question', { session, question, choice: 'reject' })).state).toBe('idle');
});

test('[C141] [S19] with --approvals a client answers them, but never from inside a session', async () => {
  await using place = await createCliPlace();
  {
    await using mcp = await connect(place, ['--approvals'], { RONDO_SESSION: 'ses_around' });
    const { session, questions } = report(await mcp.call('start_session', { prompt: write }));
    const answer = { session, question: questions[0]?.id ?? '', choice: 'allow-once' };
    expect(await mcp.call('answer_question', answer)).toContain("inside an agent's session");
    await mcp.call('cancel_session', { session });
  }
  await using mcp = await connect(place, ['--approvals']);
  const { session, questions } = report(await mcp.call('start_session', { prompt: write }));
  await mcp.call('answer_question', { session, question: questions[0]?.id ?? '', choice: 'allow-once' });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
});

test('[C141] over HTTP a token decides what a client may do, and nobody gets in without one', async () => {
  await using place = await createCliPlace();
  const token = async (role: string) =>
    ((await place.json('token', 'create', role, '--role', role)) as { token: string }).token;
  const tokens = {
    viewer: await token('viewer'),
    prompter: await token('prompter'),
    approver: await token('approver'),
  };
  const served = place.start(['mcp', '--agent', 'testing', '--approvals', '--port', '0']);
  let log = '';
  served.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await expect.poll(() => log, { timeout: 30_000 }).toContain('/mcp');
  const url = new URL(/http:\S+\/mcp/.exec(log)?.[0] ?? '');
  const open = async (role: keyof typeof tokens) => {
    const headers = { authorization: `Bearer ${tokens[role]}` };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name: string, args: Readonly<Record<string, unknown>>) => {
        const { content } = await client.callTool({ name, arguments: args });
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      },
      [Symbol.asyncDispose]: () => client.close(),
    };
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const post = async (headers: Readonly<Record<string, string>>) =>
    (await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }))
      .status;
  expect(await post({})).toBe(401);
  expect(await post({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await post({ origin: 'https://evil.example', authorization: `Bearer ${tokens.viewer}` })).toBe(403);

  await using viewer = await open('viewer');
  expect(await viewer.tools()).toEqual(['read_session', 'list_sessions']);
  await using prompter = await open('prompter');
  const asked = JSON.parse(await prompter.call('start_session', { prompt: write })) as Report;
  const answer = { session: asked.session, question: asked.questions[0]?.id ?? '', choice: 'allow-once' };
  expect(await prompter.call('answer_question', answer)).toContain("token doesn't permit it");
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
  await using approver = await open('approver');
  expect(JSON.parse(await approver.call('answer_question', answer))).toMatchObject({ state: 'idle' });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
  expect(await viewer.call('read_session', { session: asked.session })).toContain('"state": "idle"');
  served.child.kill('SIGTERM');
  expect((await served.ended).code).toBe(0);
});

test('[C140] [C141] [S19] a client that is a model never lets a server use the model', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    mcpServers: { asks: { command: process.execPath, args: [fixture, 'asks'], folders: [path.dirname(fixture)] } },
    policies: { default: { allow: ['mcp__asks__*'] } },
  });
  await place.rondo('trust', '--yes');
  await using mcp = await connect(place);
  const asked = report(await mcp.call('start_session', { prompt: 'call mcp__asks__think {}\nsay done' }));
  const { session } = asked;
  const question = asked.questions[0]?.id ?? '';
  const form = { allow: 'once' };
  expect(await mcp.call('answer_question', { session, question, form })).toContain(
    'A person answers this question',
  );
  expect((await place.rondo('answer', question, '--form', JSON.stringify(form))).code).toBe(0);
  const settled = report(await mcp.call('read_session', { session, waitSeconds: 30 }));
  expect([settled.state, settled.answer]).toEqual(['idle', 'done']);
  const { out } = await place.rondo('show', session, '--events', '--json');
  expect(out).toContain('"sampled":{"model":"testing"');
  expect((await place.rondo('replay', session)).code).toBe(0);
});

test('[C140] a prompt of a server is a command, and its resource a mention', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    mcpServers: { docs: { command: process.execPath, args: [fixture, 'good'], folders: [path.dirname(fixture)] } },
  });
  await place.rondo('trust', '--yes');
  const run = async (prompt: string) => await place.rondo('run', '--json', '--agent', 'testing', prompt);
  expect((await run('/mcp__docs__greet Ada')).out).toContain('Hello Ada');
  expect((await run('say what @docs:note://one tells')).out).toContain('"content":"a resource"');
  expect(await run('/mcp__docs__greet')).toMatchObject({ code: 2, err: expect.stringContaining('needs who') });
  const help = await place.rondo('run', '--session', 'latest', '/help');
  expect(help.out).toContain('/mcp__docs__greet [who] greet (mcp)');
});

test('[C140] [C141] the form of an MCP server is a question of the session, and its answer reaches the server', async () => {
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    mcpServers: { asks: { command: process.execPath, args: [fixture, 'asks'], folders: [path.dirname(fixture)] } },
    policies: { default: { allow: ['mcp__asks__form'] } },
  });
  await place.rondo('trust', '--yes');
  await using mcp = await connect(place);
  const asked = report(await mcp.call('start_session', { prompt: 'call mcp__asks__form {}\nsay done' }));
  expect(asked).toMatchObject({ state: 'waiting', questions: [{ type: 'form' }] });
  const { session } = asked;
  const question = asked.questions[0]?.id ?? '';
  const settled = report(await mcp.call('answer_question', { session, question, form: { branch: 'main' } }));
  expect([settled.state, settled.answer, settled.questions]).toEqual(['idle', 'done', []]);
  const { out } = await place.rondo('show', session, '--events', '--json');
  expect(out).toContain('accept');
  const replayed = await place.rondo('replay', session);
  expect(replayed.code).toBe(0);

  // A question ends with its call.
  const again = report(await mcp.call('prompt_session', { session, prompt: 'call mcp__asks__form {}\nsay done' }));
  expect(again.state).toBe('waiting');
  expect(report(await mcp.call('cancel_session', { session }))).toMatchObject({ questions: [] });
});

test('[C140] a person sees which server needs a login, logs in and logs out', async () => {
  await using server = await startOAuthServer();
  await using place = await createCliPlace();
  await place.write('rondo.json', { mcpServers: { web: { url: server.url }, local: { command: 'true' } } });
  await place.rondo('trust', '--yes');
  const states = async () =>
    ((await place.json('mcp', 'list')) as { servers: { name: string; state: string }[] }).servers.map(
      ({ name, state }) => `${name}: ${state}`,
    );
  expect(await states()).toEqual(['web: not checked', 'local: not checked']);
  const prompt = 'call mcp__web__hello {}\nsay done';
  const run = () => place.rondo('run', '--json', '--agent', 'testing', '--auto-approve', prompt);
  expect((await run()).err).toContain('Run: rondo mcp login web');
  expect(await states()).toEqual(['web: needs login', 'local: not checked']);
  expect((await place.rondo('doctor', '--json')).out).toContain('rondo mcp login web');

  const login = place.start(['mcp', 'login', 'web']);
  let shown = '';
  login.child.stderr?.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const address = /http:\/\/\S+\/authorize\S+(?=\s)/.exec(shown)?.[0];
    if (address === undefined) return;
    shown = '';
    void server.allow(new URL(address));
  });
  expect(await login.ended).toMatchObject({ code: 0, out: 'Logged in to MCP server web.\n' });
  expect(await states()).toEqual(['web: logged in', 'local: not checked']);
  const worked = await run();
  expect(worked.out).toContain('let in');
  expect(worked.out).not.toContain('at-');
  expect((await place.rondo('mcp', 'logout', 'web')).out).toBe('Logged out of MCP server web.\n');
  expect((await place.rondo('mcp', 'login', 'loacl')).err).toContain('Unknown MCP server loacl');
});
