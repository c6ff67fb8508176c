// The real command, as a user starts it.
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, test } from 'vitest';

import { createClient, type SessionUpdate } from '../../src/client/client.ts';
import { createRondoHome, rondoBinary } from '../fixtures/rondo-binary.ts';

const children: ChildProcess[] = [];
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const close of closers.splice(0)) await close();
});

interface Running {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

function rondo(home: string, argv: readonly string[]): Running {
  const child = spawn(process.execPath, [rondoBinary, ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, RONDO_HOME: path.join(home, 'data'), NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString('utf8')));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('close', (code, signal) => resolve(signal ?? code));
  });
  return { child, out: () => out, err: () => err, ended };
}

async function newHome(): Promise<string> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'rondo-serve-'));
  closers.push(() => rm(home, { recursive: true, force: true }));
  createRondoHome(path.join(home, 'data'));
  return home;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function serve(home: string, argv: readonly string[] = ['--port', '0']) {
  const running = rondo(home, ['serve', ...argv]);
  await until(() => running.out().includes('#token=') || running.child.exitCode !== null);
  const [, url = '', code = ''] = /^Rondo is at (\S+)\/#token=(\S+)$/m.exec(running.out()) ?? [];
  expect({ url, err: running.err() }).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    err: '',
  });
  const token = readFileSync(path.join(home, 'data/token'), 'utf8').trim();
  const call = async (method: string, place: string, body?: unknown) => {
    const answer = await fetch(`${url}${place}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const create = async () => String((await call('POST', '/api/v1/sessions', { agent: 'testing' })).body['id']);
  const chat = (session: string, text: string) =>
    call('POST', `/api/v1/sessions/${session}/inputs`, { type: 'chat', text });
  const phase = async (session: string) => (await call('GET', `/api/v1/sessions/${session}`)).body['phase'];
  return { ...running, url, code, token, call, create, chat, phase, port: new URL(url).port };
}

test('it prints one line, hides its token, reports a port in use, and stops on a signal', async () => {
  const home = await newHome();
  const first = await serve(home);
  expect(first.out().split('\n')).toHaveLength(2);
  expect(statSync(path.join(home, 'data/token')).mode & 0o777).toBe(0o600);
  const login = await fetch(`${first.url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: first.code }),
  });
  expect([login.status, login.headers.get('set-cookie')]).toEqual([200, null]);
  const second = rondo(home, ['serve', '--port', first.port]);
  expect(await second.ended).toBe(2);
  expect(second.err()).toContain(`Your own server already runs at http://127.0.0.1:${first.port}`);
  const beyond = rondo(home, ['serve', '--port', '0', '--host', '0.0.0.0']);
  expect([await beyond.ended, beyond.err()]).toEqual([
    2,
    expect.stringContaining('is reachable from the network'),
  ]);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
});

test('SIGTERM lets a running turn come to rest', async () => {
  const home = await newHome();
  const server = await serve(home);
  const session = await server.create();
  await server.chat(session, 'call shell {"command":"sleep 0.7; echo rested"}\nsay done');
  await until(async () => (await server.phase(session)) === 'waiting');
  const { body } = await server.call('GET', '/api/v1/questions');
  const [question] = body['questions'] as readonly { readonly id: string }[];
  await server.call('POST', `/api/v1/questions/${question?.id}/answer`, { choice: 'allow-once' });
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const shown = rondo(home, ['show', session, '--json']);
  await shown.ended;
  expect(shown.out()).toContain('idle');
});

test('[P1] [P5] killed in mid-turn and started again: the client continues, the work is resumed, nothing is lost', async () => {
  const home = await newHome();
  const first = await serve(home);
  const session = await first.create();
  const client = createClient({ url: first.url, token: first.token, firstRetryMs: 50, mostRetryMs: 200 });
  closers.push(() => client.close());
  const seen: string[] = [];
  const update = (one: SessionUpdate) => {
    if (one.type === 'event') seen.push(`${one.seq} ${one.event.type}`);
  };
  client.follow(session, { update }, { after: 0 });
  await client.send(session, { type: 'chat', text: 'call read {"path":"nowhere.txt"}\nhang' });
  await until(() => seen.filter((word) => word.endsWith('model-call-intended')).length === 2);
  first.child.kill('SIGKILL');
  await first.ended;
  const sent = client.send(session, { type: 'interrupt' });
  const second = await serve(home, ['--port', first.port]);
  await sent;
  await until(async () => (await second.phase(session)) === 'idle');
  const { body } = await second.call('GET', `/api/v1/sessions/${session}/events?after=0`);
  const events = (body['events'] as readonly { seq: number; type: string }[]).map(
    ({ seq, type }) => `${seq} ${type}`,
  );
  await until(() => seen.length >= events.length);
  expect(seen).toEqual(events);
  expect(events.some((word) => word.endsWith('session-recovered'))).toBe(true);
});

test('[P3] a server and `rondo run` on one store answer, cancel and follow each other’s sessions', async () => {
  const home = await newHome();
  const server = await serve(home);
  // The run asks; the question is answered and the session resumed in the server, another process.
  const asked = rondo(home, [
    'run',
    'call write {"path":"a.txt","content":"x"}\nsay written',
    '--agent',
    'testing',
    '--json',
  ]);
  expect(await asked.ended).toBe(3);
  const result = JSON.parse(asked.out().trim().split('\n').at(-1) ?? '{}') as {
    session: string;
    questions: { id: string }[];
  };
  const answered = await server.call('POST', `/api/v1/questions/${result.questions[0]?.id}/answer`, {
    choice: 'allow-once',
  });
  expect(answered.status).toBe(200);
  await until(async () => (await server.phase(result.session)) === 'idle');
  expect(readFileSync(path.join(home, 'a.txt'), 'utf8')).toBe('x');
  // The run hangs; a client of the server follows it live and stops it.
  const hanging = rondo(home, ['run', 'call list {"path":"."}\nhang', '--agent', 'testing', '--json']);
  await until(() => hanging.out().includes('tool-settled'));
  const [, other = ''] = /"effect":"(ses_\w+)\./.exec(hanging.out()) ?? [];
  const client = createClient({ url: server.url, token: server.token });
  closers.push(() => client.close());
  const seen: string[] = [];
  client.follow(
    other,
    { update: (one) => void (one.type === 'event' && seen.push(one.event.type)) },
    { after: 0 },
  );
  await until(() => seen.includes('tool-settled'));
  await client.send(other, { type: 'interrupt', reason: 'from the server' });
  expect(await hanging.ended).toBe(130);
  await until(() => seen.at(-1) === 'turn-ended');
  // And the other way round.
  const session = await server.create();
  await server.chat(session, 'hang');
  const cancel = rondo(home, ['cancel', session]);
  expect(await cancel.ended).toBe(0);
  await until(async () => (await server.phase(session)) === 'idle');
});

test('a session is followed and steered from a terminal, and leaving it stops nothing', async () => {
  const home = await newHome();
  const server = await serve(home);
  const session = await server.create();
  const attached = rondo(home, ['attach', session]);
  await until(() => attached.out().includes(session));
  attached.child.stdin?.write('call write {"path":"b.txt","content":"y"}\n');
  await until(() => attached.out().includes('Allow write on b.txt?'));
  attached.child.stdin?.write('y\n');
  await until(async () => (await server.phase(session)) === 'idle');
  await until(() => attached.out().includes('Allowed once by you'));
  await server.chat(session, 'hang');
  attached.child.stdin?.write('/exit\n');
  expect(await attached.ended).toBe(0);
  expect(await server.phase(session)).toBe('running');
});

test('[C96] attached with --json, every line in and out is one JSON object, and quit stops reading', async () => {
  const home = await newHome();
  const server = await serve(home);
  const session = await server.create();
  const attached = rondo(home, ['attach', session, '--json', '--after', '0']);
  attached.child.stdin?.write(`${JSON.stringify({ type: 'chat', text: 'say Good day' })}\n`);
  await until(() => attached.out().includes('"type":"turn-ended"'));
  attached.child.stdin?.write('{"type":"quit"}\n{"type":"chat","text":"say too late"}\n');
  expect(await attached.ended).toBe(0);
  const lines = attached
    .out()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { type: string; event?: { type: string } });
  expect(lines.filter(({ type }) => type === 'event').map(({ event }) => event?.type)).toEqual([
    'session-created',
    'prompt-received',
    'turn-started',
    'model-call-intended',
    'model-settled',
    'turn-ended',
  ]);
});

test('tokens are issued, listed and revoked from the command line while the server runs', async () => {
  const home = await newHome();
  const server = await serve(home);
  const created = rondo(home, ['token', 'create', 'phone', '--role', 'approver']);
  await created.ended;
  const secret = created.out().trim();
  const me = async () =>
    (await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${secret}` } })).status;
  await until(async () => (await me()) === 200);
  const list = rondo(home, ['token', 'list']);
  await list.ended;
  const [id = '', name, role] = list.out().trim().split('\t');
  expect([name, role]).toEqual(['phone', 'approver']);
  await rondo(home, ['token', 'revoke', id]).ended;
  await until(async () => (await me()) === 401);
  const link = rondo(home, ['token', 'link']);
  await link.ended;
  expect(link.out()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);
});

test('a webhook reports that a question opened, and not what it is about', async () => {
  const told: string[] = [];
  const receiver = createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => {
      told.push(body);
      answer.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  closers.push(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const home = await newHome();
  const server = await serve(home, ['--port', '0', '--webhook', `http://127.0.0.1:${port}/`]);
  const session = await server.create();
  await server.chat(session, 'call write {"path":"secret-name.txt","content":"z"}');
  await until(() => told.length === 1);
  expect(JSON.parse(told[0] ?? '')).toMatchObject({ type: 'question-opened', session, kind: 'approval' });
  expect(told[0]).not.toContain('secret-name');
  // Asked in another process on the same store.
  const asked = rondo(home, ['run', 'call write {"path":"a.txt","content":"x"}', '--agent', 'testing', '--json']);
  expect(await asked.ended).toBe(3);
  await until(() => told.length === 2);
  const { session: other } = JSON.parse(asked.out().trim().split('\n').at(-1) ?? '{}') as { session: string };
  expect(JSON.parse(told[1] ?? '')).toMatchObject({ type: 'question-opened', session: other, kind: 'approval' });
});

test('agents, models, tools, saved rules and file names are those of the folder', async () => {
  const home = await newHome();
  await mkdir(path.join(home, 'src'));
  await writeFile(path.join(home, '.gitignore'), 'secret*\n');
  await writeFile(path.join(home, 'src/alpha.ts'), '');
  await writeFile(path.join(home, 'src/secret-alpha.ts'), '');
  await symlink('/etc', path.join(home, 'outside-alpha'));
  const server = await serve(home);
  const names = async (what: string, key = 'name') => {
    const { body } = await server.call('GET', `/api/v1/${what}`);
    return (body[what] as readonly Record<string, string>[]).map((one) => one[key]);
  };
  expect(await names('agents')).toContain('assistant');
  expect(await names('models', 'id')).toContain('offline');
  expect(await names('tools')).toEqual(expect.arrayContaining(['read', 'write', 'shell']));
  expect((await server.call('GET', '/api/v1/files?q=alpha')).body).toEqual({ files: ['src/alpha.ts'] });
  const session = await server.create();
  await server.chat(session, 'call write {"path":"made.txt","content":"x"}\nsay done');
  await until(async () => (await server.phase(session)) === 'waiting');
  const { body } = await server.call('GET', '/api/v1/questions');
  const [question] = body['questions'] as readonly { readonly id: string }[];
  await server.call('POST', `/api/v1/questions/${question?.id}/answer`, { choice: 'allow-always' });
  await until(async () => (await names('rules', 'id')).length === 1);
  const [rule] = await names('rules', 'id');
  expect((await server.call('DELETE', `/api/v1/rules/${rule}`)).status).toBe(204);
  expect((await server.call('DELETE', `/api/v1/rules/${rule}`)).status).toBe(404);
  expect(await names('rules')).toEqual([]);
});

test('a session in another folder has that folder’s agents and rules, once it is trusted', async () => {
  const home = await newHome();
  const other = await newHome();
  const config = {
    defaultAgent: 'poet',
    agents: { poet: { description: 'Writes verse' } },
    policies: { default: { deny: ['list'] } },
  };
  await writeFile(path.join(other, 'rondo.json'), JSON.stringify(config));
  const server = await serve(home);
  const createThere = (more: object = {}) => server.call('POST', '/api/v1/sessions', { cwd: other, ...more });
  const refused = await createThere({ agent: 'poet' });
  expect([refused.status, refused.body['code'], String(refused.body['detail'])]).toEqual([
    422,
    'REFUSED',
    expect.stringContaining("agent poet is defined in this project's rondo.json, which isn't trusted"),
  ]);
  expect(await rondo(home, ['trust', '--cwd', other, '--yes']).ended).toBe(0);
  await until(async () => (await createThere({ agent: 'poet' })).status === 201);
  const made = await createThere({ title: 'Elsewhere', mode: 'batch', limits: { steps: 7 }, model: 'testing' });
  expect(made.body).toMatchObject({
    agent: 'poet',
    cwd: other,
    title: 'Elsewhere',
    mode: 'batch',
    limits: { steps: 7 },
  });
  const session = String(made.body['id']);
  await server.chat(session, 'call list {"path":"."}\nsay over');
  await until(async () => (await server.phase(session)) === 'idle');
  const { body } = await server.call('GET', `/api/v1/audit?session=${session}&type=call-refused`);
  expect(body['entries']).toMatchObject([{ decided: { tool: 'list', code: 'policy' } }]);
  const { body: child } = await createThere({ parent: session });
  expect(child['parent']).toBe(session);
  const { body: agents } = await server.call('GET', `/api/v1/agents?session=${session}`);
  expect(agents['agents']).toContainEqual(expect.objectContaining({ name: 'poet', isDefault: true }));
  const { body: here } = await server.call('GET', '/api/v1/agents');
  expect(JSON.stringify(here)).not.toContain('poet');
  expect((await createThere({ model: 'no-such-model' })).body['code']).toBe('REFUSED');
  await writeFile(path.join(other, 'rondo.json'), '{ "agents": 7 }');
  await until(async () => (await createThere()).body['code'] === 'REFUSED');
});

test('a session created under a key is the same one after the server was killed and started again', async () => {
  const home = await newHome();
  const first = await serve(home);
  const create = async (server: typeof first, body: object) => {
    const answer = await fetch(`${server.url}/api/v1/sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'only-once',
      },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { id?: string; code?: string };
  };
  const made = await create(first, { agent: 'testing', title: 'one' });
  first.child.kill('SIGKILL');
  await first.ended;
  const second = await serve(home);
  expect((await create(second, { agent: 'testing', title: 'one' })).id).toBe(made.id);
  expect((await create(second, { agent: 'testing', title: 'two' })).code).toBe('CONFLICT');
  const { body } = await second.call('GET', '/api/v1/sessions');
  expect(body['entries']).toHaveLength(1);
});

test.each([0, 5, 40])(
  '[C91] killed %i ms after it was told to end a session, the next server finishes it',
  async (ms) => {
    const home = await newHome();
    const first = await serve(home);
    const session = await first.create();
    const marker = `81${process.pid}${ms}`;
    await first.chat(session, `call shell {"command":"trap '' TERM; sleep ${marker} & wait"}\nsay done`);
    await until(async () => (await first.phase(session)) === 'waiting');
    const { body } = await first.call('GET', '/api/v1/questions');
    const [question] = body['questions'] as readonly { readonly id: string }[];
    await first.call('POST', `/api/v1/questions/${question?.id}/answer`, { choice: 'allow-once' });
    const sleepers = () => runningWith(`sleep\0${marker}`);
    await until(() => sleepers() > 0);
    const told = first.call('DELETE', `/api/v1/sessions/${session}`).then(
      () => true,
      () => false,
    );
    await new Promise((resolve) => setTimeout(resolve, ms));
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await serve(home);
    await until(() => sleepers() === 0);
    const state = async () => (await second.call('GET', `/api/v1/sessions/${session}`)).body['hosted'];
    const isTold = await told;
    if (isTold) await until(async () => (await state()) !== 'terminating');
    expect([sleepers(), isTold ? await state() : 'cleaned']).toEqual([0, 'cleaned']);
  },
);

/** Processes whose command line contains the text. */
function runningWith(text: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  }).length;
}
