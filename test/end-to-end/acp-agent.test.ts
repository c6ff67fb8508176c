import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { methods, type RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { expect, test } from 'vitest';

import { newSession, openEditor, say } from './acp-editor.ts';
import { createCliPlace } from './cli-process.ts';

const patience = { timeout: 30_000 };
const write = 'call write {"path":"made.txt","content":"made\\n"}';

test('says what it can do, and nothing but the protocol is on its output', async () => {
  await using place = await createCliPlace();
  const running = place.start(['acp'], {
    stdin: `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } })}\nnot json\n{"jsonrpc":"2.0","id":2,"method":"no/such"}\n{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":7}}\n{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"sessionId":"ses_none","prompt":[]}}\n`,
  });
  const { out, code } = await running.ended;
  expect(code).toBe(0);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number | null; result?: unknown; error?: { code: number } });
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  expect(byId.get(1)?.result).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'rondo', title: 'Rondo' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
    authMethods: [],
  });
  expect([2, 3, 4].map((id) => byId.get(id)?.error?.code)).toEqual([-32601, -32602, -32002]);
});

test('a whole turn: words, a tool call, a permission, its result, words, figures', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const { sessionId, modes, configOptions } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
    mcpServers: [],
  });
  expect(modes).toMatchObject({ currentModeId: 'interactive' });
  expect(configOptions?.map(({ id }) => id)).toEqual(['mode', 'model', 'agent']);
  const answer = await say(editor, sessionId, `${write}\nsay after`);
  expect(answer).toEqual({ stopReason: 'end_turn' });
  expect(await readFile(path.join(place.project, 'made.txt'), 'utf8')).toBe('made\n');
  expect(editor.permissions).toHaveLength(1);
  const [asked] = editor.permissions;
  const call = editor.updates.find((update) => update.sessionUpdate === 'tool_call');
  expect(call).toMatchObject({
    name: 'write',
    kind: 'edit',
    rawInput: { path: 'made.txt' },
    locations: [{ path: path.join(place.project, 'made.txt') }],
  });
  expect(asked?.toolCall.toolCallId).toBe(call?.sessionUpdate === 'tool_call' ? call.toolCallId : '');
  expect(asked?.options.map(({ kind }) => kind)).toEqual(['allow_once', 'allow_always', 'reject_once']);
  const states = editor.updates.flatMap((update) =>
    update.sessionUpdate === 'tool_call_update' ? [update.status] : [],
  );
  expect(states.at(-1)).toBe('completed');
  expect(states).toContain('in_progress');
  expect(editor.said()).toBe('after');
  const kinds = editor.updates.map(({ sessionUpdate }) => sessionUpdate);
  expect(kinds).toEqual(
    expect.arrayContaining(['available_commands_update', 'session_info_update', 'usage_update']),
  );
  // The client shows its own prompt, so it isn't sent again.
  expect(kinds).not.toContain('user_message_chunk');
  // It is an ordinary session.
  expect((await place.rondo('show', sessionId)).out).toContain('made.txt');
});

test('a rejected call does not run; a cancelled turn is answered, and the next prompt is served', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  editor.onPermission = async () => ({ outcome: { outcome: 'selected', optionId: 'reject' } });
  await say(editor, sessionId, write);
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(false);
  // Open when it is cancelled.
  const withdrawn = Promise.withResolvers<RequestPermissionResponse>();
  editor.onPermission = (_, signal) => {
    signal.addEventListener('abort', () => withdrawn.resolve({ outcome: { outcome: 'cancelled' } }));
    void editor.agent.notify(methods.agent.session.cancel, { sessionId });
    return withdrawn.promise;
  };
  expect(await say(editor, sessionId, write)).toEqual({ stopReason: 'cancelled' });
  await withdrawn.promise;
  const hanging = say(editor, sessionId, 'hang');
  await expect.poll(async () => (await place.rondo('ls')).out, patience).toContain('running');
  await editor.agent.notify(methods.agent.session.cancel, { sessionId });
  expect(await hanging).toEqual({ stopReason: 'cancelled' });
  expect(await say(editor, sessionId, 'say still here')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('still here');
});

test('[P3][P5] after kill -9 the session is loaded with its history, and the open question is asked again', async () => {
  await using place = await createCliPlace();
  await using first = await openEditor(place);
  const sessionId = await newSession(first, place);
  await say(first, sessionId, 'say hello');
  const asked = Promise.withResolvers<void>();
  first.onPermission = () => {
    asked.resolve();
    return new Promise(() => {});
  };
  const lost = say(first, sessionId, write);
  lost.catch(() => undefined);
  await asked.promise;
  first.child.kill('SIGKILL');
  await once(first.child, 'close');

  await using second = await openEditor(place);
  const loaded = await second.agent.request(methods.agent.session.load, {
    sessionId,
    cwd: place.project,
    mcpServers: [],
  });
  expect(loaded.modes).toMatchObject({ currentModeId: 'interactive' });
  const texts = second.updates.flatMap((update) =>
    (update.sessionUpdate === 'user_message_chunk' || update.sessionUpdate === 'agent_message_chunk') &&
    update.content.type === 'text'
      ? [`${update.sessionUpdate} ${update.content.text}`]
      : [],
  );
  expect(texts).toEqual([
    'user_message_chunk say hello',
    'agent_message_chunk hello',
    `user_message_chunk ${write}`,
  ]);
  // Allowed by the new editor, it runs.
  await expect.poll(() => existsSync(path.join(place.project, 'made.txt')), patience).toBe(true);
  expect(second.permissions).toHaveLength(1);
  // Resuming replays no history.
  await using third = await openEditor(place);
  await third.agent.request(methods.agent.session.resume, { sessionId, cwd: place.project });
  expect(third.updates.filter(({ sessionUpdate }) => sessionUpdate.endsWith('_chunk'))).toEqual([]);
  expect(await say(third, sessionId, 'say again')).toEqual({ stopReason: 'end_turn' });
  expect(third.said()).toBe('again');
  // The other editor, whose session another process had to serve, saw it too.
  await expect.poll(() => second.said(), patience).toContain('again');
});

test('[P3] a question is answered elsewhere first: the request is withdrawn and the turn continues', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  const asked = Promise.withResolvers<void>();
  const withdrawn = Promise.withResolvers<RequestPermissionResponse>();
  editor.onPermission = (_, signal) => {
    signal.addEventListener('abort', () => withdrawn.resolve({ outcome: { outcome: 'cancelled' } }));
    asked.resolve();
    return withdrawn.promise;
  };
  const turn = say(editor, sessionId, write);
  await asked.promise;
  const shown = (await place.json('show', sessionId)) as { status: { questions: [{ id: string }] } };
  expect((await place.rondo('answer', shown.status.questions[0].id, 'allow-once')).code).toBe(0);
  expect(await turn).toEqual({ stopReason: 'end_turn' });
  expect(await withdrawn.promise).toEqual({ outcome: { outcome: 'cancelled' } });
  expect(existsSync(path.join(place.project, 'made.txt'))).toBe(true);
});

test('lists, changes, closes and deletes sessions; commands and contents of other kinds', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const { agent } = editor;
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'say one');
  const list = () => agent.request(methods.agent.session.list, { cwd: place.project });
  expect(await list()).toMatchObject({ sessions: [{ sessionId, cwd: place.project }] });
  expect(await agent.request(methods.agent.session.list, { cwd: '/elsewhere' })).toEqual({ sessions: [] });
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'supervised' });
  await expect
    .poll(() => editor.updates.find(({ sessionUpdate }) => sessionUpdate === 'current_mode_update'), patience)
    .toMatchObject({ currentModeId: 'supervised' });
  await expect(agent.request(methods.agent.session.setMode, { sessionId, modeId: 'no-such' })).rejects.toThrow(
    'unknown mode no-such',
  );
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'interactive' });
  const set = await agent.request(methods.agent.session.setConfigOption, {
    sessionId,
    configId: 'agent',
    value: 'assistant',
  });
  expect(set.configOptions.find(({ id }) => id === 'agent')).toMatchObject({ currentValue: 'assistant' });
  await agent.request(methods.agent.session.setConfigOption, { sessionId, configId: 'agent', value: 'testing' });
  expect(await say(editor, sessionId, '/status')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('Idle');
  expect(await say(editor, sessionId, '/nonsense')).toEqual({ stopReason: 'end_turn' });
  expect(await say(editor, sessionId, '/fix the login')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('You said: /fix the login');
  const prompt = await agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: 'text', text: 'say with' },
      { type: 'resource_link', name: 'a', uri: `file://${place.project}/a.txt` },
      { type: 'resource', resource: { uri: 'file:///b.txt', text: 'content', mimeType: 'text/plain' } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  });
  expect(prompt).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain(`with @${place.project}/a.txt @/b.txt`);
  const fork = await agent.request<{ sessionId: string }>('session/fork', { sessionId, cwd: place.project });
  expect(await say(editor, fork.sessionId, 'say in the fork')).toEqual({ stopReason: 'end_turn' });
  expect(editor.said()).toContain('in the fork');
  await agent.request(methods.agent.session.delete, { sessionId: fork.sessionId });
  await expect(agent.request(methods.agent.session.new, { cwd: 'relative', mcpServers: [] })).rejects.toThrow(
    'absolute',
  );
  await agent.request(methods.agent.session.close, { sessionId });
  await expect(say(editor, sessionId, 'say x')).rejects.toThrow('not found');
  await agent.request(methods.agent.session.resume, { sessionId, cwd: place.project });
  await agent.request(methods.agent.session.delete, { sessionId });
  expect(await list()).toEqual({ sessions: [] });
  await expect(
    agent.request(methods.agent.session.load, { sessionId, cwd: place.project, mcpServers: [] }),
  ).rejects.toThrow('not found');
});

test('an address that a hosted agent sends people to reaches the editor: opened by one that can, else as a link', async () => {
  await using place = await createCliPlace();
  const fixture = path.resolve(import.meta.dirname, '../fixtures/acp-agent/main.ts');
  const config = {
    defaultAgent: 'fixture',
    acpAgents: { fixture: { command: process.execPath, args: [fixture] } },
  };
  await mkdir(path.join(place.home, '.rondo'), { recursive: true, mode: 0o700 });
  await writeFile(path.join(place.home, '.rondo/config.json'), JSON.stringify(config), { mode: 0o600 });
  const words = ['--agent', 'fixture'];
  await using opening = await openEditor(place, { words, capabilities: { elicitation: { url: {} } } });
  await say(opening, await newSession(opening, place), 'url https://example.org/sign-in Sign in');
  expect(opening.forms).toEqual(['Sign in https://example.org/sign-in']);
  expect(opening.said()).toContain('"action":"accept"');
  await using plain = await openEditor(place, { words });
  await say(plain, await newSession(plain, place), 'url https://example.org/sign-in Sign in');
  expect(
    plain.permissions.map(({ toolCall, options }) => [toolCall.content, options.map(({ name }) => name)]),
  ).toEqual([
    [
      [
        {
          type: 'content',
          content: { type: 'resource_link', name: 'Sign in', uri: 'https://example.org/sign-in' },
        },
      ],
      ['Done', 'No'],
    ],
  ]);
});

test('MCP servers of the editor are there for its session', async () => {
  await using place = await createCliPlace();
  await using editor = await openEditor(place);
  const fixture = path.resolve(import.meta.dirname, '../fixtures/mcp-server.ts');
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
    mcpServers: [{ name: 'my tools', command: process.execPath, args: [fixture, 'good'], env: [] }],
  });
  await say(editor, sessionId, 'call mcp__my-tools__echo {"text":"through the editor"}');
  expect(editor.said()).toContain('through the editor');
  const without = await newSession(editor, place);
  await say(editor, without, 'call mcp__my-tools__echo {"text":"x"}');
  expect(editor.said()).toContain('mcp__my-tools__echo (error)');
});

test('[P5] a browser and an editor see the same session, each what the other did', async () => {
  await using place = await createCliPlace();
  const served = place.start(['serve', '--port', '0']);
  await served.saw('#token=');
  await using editor = await openEditor(place);
  const sessionId = await newSession(editor, place);
  await say(editor, sessionId, 'say from the editor');
  const token = (await readFile(path.join(place.home, '.rondo/token'), 'utf8')).trim();
  const { origin: url } = new URL(((await place.json('token', 'link')) as { url: string }).url);
  const call = async (method: string, where: string, body?: object) =>
    await fetch(`${url}/api/v1/sessions/${sessionId}${where}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  expect(JSON.stringify(await (await call('GET', '/transcript')).json())).toContain('from the editor');
  expect((await call('POST', '/inputs', { type: 'chat', text: 'say from the browser' })).status).toBe(202);
  await expect.poll(() => editor.said(), patience).toContain('from the browser');
  expect(editor.updates).toContainEqual(
    expect.objectContaining({
      sessionUpdate: 'user_message_chunk',
      content: { type: 'text', text: 'say from the browser' },
    }),
  );
});

test('[C89] an editor, Rondo and an agent that Rondo hosts: images and MCP servers reach it, and its own mode is set', async () => {
  await using place = await createCliPlace();
  const fixtures = path.resolve(import.meta.dirname, '../fixtures');
  await place.write('../.rondo/config.json', {
    acpAgents: {
      inner: { command: process.execPath, args: [path.join(fixtures, 'acp-agent/main.ts'), '--modes'] },
    },
  });
  await using editor = await openEditor(place, { words: ['--agent', 'inner'] });
  const { sessionId } = await editor.agent.request(methods.agent.session.new, {
    cwd: place.project,
    mcpServers: [
      { name: 'tools', command: process.execPath, args: [path.join(fixtures, 'mcp-server.ts'), 'good'], env: [] },
    ],
  });
  await editor.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: 'text', text: 'mcp tools through both\nblocks' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  });
  expect(editor.said()).toBe(
    '[{"type":"text","text":"through both"}][{"type":"image","mimeType":"image/png","data":"aGk="}]',
  );
  expect(await place.json('set', sessionId, 'mode', 'code', '--json')).toMatchObject({ type: 'asked' });
  await say(editor, sessionId, 'mode');
  expect(editor.said()).toMatch(/code$/);
  const refused = await place.rondo('set', sessionId, 'mode', 'fly');
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('it offers ask, code, locked')]);
});

test('[C89] bad lines on standard input are answered or passed over, and the next good one is served', async () => {
  await using place = await createCliPlace();
  const good = (id: number) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: 1 } });
  const bad = [
    '{"jsonrpc":"2.0","id":9',
    '[]',
    'null',
    '"text"',
    '{"jsonrpc":"2.0","id":{},"method":"initialize","params":7}',
    '{"jsonrpc":"2.0","id":99,"result":{"outcome":{"outcome":"selected","optionId":"allow-once"}}}',
    '{"jsonrpc":"2.0","id":98,"error":{"code":"x"}}',
    '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":{"a":1}}}',
    `{"jsonrpc":"2.0","id":5,"method":"session/prompt","params":{"sessionId":"ses_1","prompt":"${'x'.repeat(6_000_000)}"}}`,
    'x'.repeat(2_000_000),
    '\u0000\uffff',
  ];
  const lines = bad.flatMap((line, index) => [line, good(100 + index)]);
  const { out, code } = await place.start(['acp'], { stdin: `${lines.join('\n')}\n` }).ended;
  const answered = out.split('\n').flatMap((line) => {
    const { id, result } = (line === '' ? {} : JSON.parse(line)) as {
      readonly id?: unknown;
      readonly result?: unknown;
    };
    return typeof id === 'number' && id >= 100 && result !== undefined ? [id] : [];
  });
  expect([code, answered]).toEqual([0, bad.map((_, index) => 100 + index)]);
});
