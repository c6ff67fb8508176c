// [S11][S13][S19] Attacks on a user's own machine: other users, lower-privileged tokens, and the agent itself.
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { defaultResourceLimits, limitedBy } from '../../src/security/sandbox/resource-limits.ts';
import { rondoBinary } from '../fixtures/rondo-binary.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const run = promisify(execFile);
const homeOf = (place: CliPlace) => path.join(place.home, '.rondo');
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

async function served(place: CliPlace, then: (url: string, token: string) => Promise<void>): Promise<void> {
  const server = place.start(['serve', '--port', '0']);
  await server.saw('Rondo is at ');
  const token = (await readFile(path.join(homeOf(place), 'token'), 'utf8')).trim();
  const [, url = ''] =
    /"url":\s*"([^"]+)"/.exec(await readFile(path.join(homeOf(place), 'server.json'), 'utf8')) ?? [];
  await then(url, token);
  server.child.kill('SIGTERM');
  await server.ended;
}

async function post(url: string, token: string, place: string, body: unknown) {
  const answer = await fetch(`${url}/api/v1${place}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test('[S11] files in RONDO_HOME that others could read become private at the next start, and new ones are private', async () => {
  await using place = await createCliPlace();
  const home = homeOf(place);
  await mkdir(path.join(home, 'blobs'), { recursive: true });
  await writeFile(path.join(home, 'old.json'), '{}');
  await chmod(home, 0o755);
  await chmod(path.join(home, 'blobs'), 0o755);
  await chmod(path.join(home, 'old.json'), 0o644);
  expect((await place.rondo('run', '--agent', 'testing', 'say hello')).code).toBe(0);
  expect({
    home: await modeOf(home),
    blobs: await modeOf(path.join(home, 'blobs')),
    old: await modeOf(path.join(home, 'old.json')),
    database: await modeOf(path.join(home, 'rondo.db')),
  }).toEqual({ home: '700', blobs: '700', old: '600', database: '600' });
});

test('[S11] a home that Rondo makes is private from its first moment', async () => {
  await using place = await createCliPlace();
  await place.rondo('run', '--agent', 'testing', 'say hello');
  expect([await modeOf(homeOf(place)), await modeOf(path.join(homeOf(place), 'rondo.db'))]).toEqual([
    '700',
    '600',
  ]);
});

test('[S13] a prompter cannot make the server read a file or wait for a pipe by naming it as a model', async () => {
  await using place = await createCliPlace();
  const pipe = path.join(place.home, 'pipe');
  await run('mkfifo', [pipe]);
  await served(place, async (url, owner) => {
    const issued = await post(url, owner, '/tokens', { name: 'lesser', role: 'prompter' });
    const token = String(issued.body['token']);
    const made = await post(url, token, '/sessions', { agent: 'testing' });
    const session = String(made.body['id']);
    for (const file of ['/etc/passwd', pipe]) {
      const model = `scripted:${file}`;
      for (const [at, body] of [
        ['/sessions', { model }],
        [`/sessions/${session}/inputs`, { type: 'agent', agent: 'testing', model }],
        ['/jobs', { prompt: 'hi', model }],
      ] as const) {
        const { status, body: told } = await post(url, token, at, body);
        expect([at, status]).toEqual([at, 400]);
        expect(JSON.stringify(told)).not.toContain('root:');
      }
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

/** Runs a command as a session's shell would, with the marker dropped on the way. */
async function insideSession(place: CliPlace, script: string): Promise<{ code: number | null; err: string }> {
  const child = spawn('/bin/sh', ['-c', `env -u RONDO_SESSION ${script}; exit $?`], {
    cwd: place.project,
    env: { PATH: process.env['PATH'], RONDO_HOME: homeOf(place), RONDO_SESSION: 'ses_agent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}

test.each([
  'answer q_1 allow-once',
  'trust --yes',
  'policy revoke rule_1',
  'token create me --role owner',
  'token link',
  'inbox --interactive',
  'chat --line',
  'set latest mode bypassPermissions',
  'run --session latest /approve',
  'run --session latest "/answer q_1 yes"',
  'run --session latest --auto-approve',
  'run --session latest --mode supervised',
  'run --trust-project hi',
  "run --session latest --allow shell 'go on'",
  'jobs run --auto-approve',
])('[S19] `rondo %s` is refused where an agent runs it, also with the marker dropped', async (words) => {
  await using place = await createCliPlace();
  const { code, err } = await insideSession(place, `"${process.execPath}" "${rondoBinary}" ${words}`);
  expect(code).not.toBe(0);
  expect(err).toContain('makes a decision for a person, but session ses_agent runs this command');
});

/** Opens a session over `rondo acp` and says yes to everything, in text and by permission requests. */
const yesSayer = `
const [binary, session] = process.argv.slice(2);
const child = require('node:child_process').spawn(process.execPath, [binary, 'acp'], { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const heard = [];
require('node:readline').createInterface(child.stdout).on('line', (line) => {
  const message = JSON.parse(line);
  heard.push(line);
  if (message.method === 'session/request_permission')
    send({ id: message.id, result: { outcome: { outcome: 'selected', optionId: message.params.options[0].optionId } } });
  if (message.id === 1) send({ id: 2, method: 'session/load', params: { sessionId: session, cwd: process.cwd(), mcpServers: [] } });
  if (message.id === 2) send({ id: 3, method: 'session/set_mode', params: { sessionId: session, modeId: 'interactive' } });
  if (message.id === 3) send({ id: 4, method: 'session/prompt', params: { sessionId: session, prompt: [{ type: 'text', text: '/Approve' }] } });
  if (message.id === 4) setTimeout(end, 15_000);
  const isTold = heard.some((one) => one.includes('rondo answer q_'));
  if (heard.some((one) => one.includes('"id":4')) && (isTold || require('node:fs').existsSync('marker'))) end();
});
function end() { console.error(heard.join('\\n')); child.kill(); process.exit(); }
send({ id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } });
`;

test.skipIf(process.platform !== 'linux')(
  '[S19] an agent cannot answer its own question by speaking the Agent Client Protocol to `rondo acp`',
  async () => {
    await using place = await createCliPlace();
    const marker = path.join(place.project, 'marker');
    const prompt = 'call shell {"command":"touch marker"}\nsay done';
    const { code } = await place.rondo('run', '--agent', 'testing', prompt);
    expect(code).toBe(3);
    const { status } = (await place.json('show', 'latest')) as { status: { session: string } };
    const script = await place.write('yes.cjs', yesSayer);
    const { err } = await insideSession(
      place,
      `"${process.execPath}" "${script}" "${rondoBinary}" "${status.session}"`,
    );
    expect(err).toContain("/approve is for people, and an agent's session runs this program.");
    expect(err).toContain("Changing a setting is for people, and an agent's session runs this program.");
    expect(err).toContain('A person answers this: rondo answer q_');
    expect(err).not.toContain('session/request_permission');
    expect(existsSync(marker)).toBe(false);
    // The same words of a person's editor are an answer.
    const child = spawn(process.execPath, [script, rondoBinary, status.session], {
      cwd: place.project,
      env: { PATH: process.env['PATH'], RONDO_HOME: homeOf(place), HOME: place.home },
      stdio: 'ignore',
    });
    await once(child, 'close');
    await expect.poll(() => existsSync(marker)).toBe(true);
  },
);

test.skipIf(process.platform !== 'linux' || spawnSync('prlimit', ['--version']).status !== 0)(
  '[S19] a command that leaves its session, its ancestors and its environment behind cannot answer either (needs prlimit)',
  async () => {
    await using place = await createCliPlace();
    const out = path.join(place.home, 'out');
    // Started as the shell tool starts commands.
    const left = `sleep 1; exec env -i HOME=${place.home} PATH=/usr/bin:/bin ${process.execPath} ${rondoBinary} answer q_1 allow-once`;
    const escape = `setsid -f env -i /bin/sh -c '${left} > ${out} 2>&1'`;
    const as = async (argv: readonly string[]) => {
      await rm(out, { force: true });
      const [program = '', ...args] = argv;
      await run(program, args, { env: { PATH: '/usr/bin:/bin', RONDO_SESSION: 'ses_agent' } });
      await expect.poll(() => readFile(out, 'utf8').catch(() => '')).not.toBe('');
      return readFile(out, 'utf8');
    };
    // Without the limits nothing distinguishes it from a person.
    expect(await as(['/bin/sh', '-c', escape])).not.toContain('makes a decision for a person');
    const limited = limitedBy('prlimit', ['/bin/sh', '-c', escape], defaultResourceLimits);
    expect(await as(limited)).toContain(
      'rondo answer makes a decision for a person, but an agent runs this command',
    );
    const lowered = escape.replace('env -i /bin/sh', 'prlimit --fsize=1000000000 env -i /bin/sh');
    expect(await as(limitedBy('prlimit', ['/bin/sh', '-c', lowered], defaultResourceLimits))).toContain(
      'makes a decision for a person',
    );
  },
);

test.skipIf(process.platform !== 'linux')(
  '[S19] an agent that found the owner token cannot answer its own question over HTTP',
  async () => {
    await using place = await createCliPlace();
    await served(place, async (url, owner) => {
      const made = await post(url, owner, '/sessions', { agent: 'testing' });
      const session = String(made.body['id']);
      await post(url, owner, `/sessions/${session}/inputs`, {
        type: 'chat',
        text: 'call shell {"command":"touch marker"}\nsay done',
      });
      const open = async () => {
        const answer = await fetch(`${url}/api/v1/questions`, { headers: { authorization: `Bearer ${owner}` } });
        return ((await answer.json()) as { questions: readonly { id: string }[] }).questions;
      };
      await expect.poll(async () => (await open()).length).toBe(1);
      const [question] = await open();
      const calls = [
        [`/questions/${question?.id}/answer`, { choice: 'allow-once' }],
        [`/sessions/${session}/inputs`, { type: 'policy', rules: [{ verdict: 'allow', tool: 'shell' }] }],
        ['/tokens', { name: 'mine', role: 'owner' }],
      ] as const;
      for (const [at, body] of calls) {
        const code = `fetch(${JSON.stringify(`${url}/api/v1${at}`)},{method:'POST',headers:{authorization:'Bearer ${owner}','content-type':'application/json'},body:${JSON.stringify(JSON.stringify(body))}}).then(async (a)=>{console.error(a.status, await a.text())})`;
        const { err } = await insideSession(place, `"${process.execPath}" -e '${code.replaceAll("'", `'\\''`)}'`);
        expect([at, err.slice(0, 3)]).toEqual([at, '403']);
      }
      expect(await open()).toHaveLength(1);
      expect((await post(url, owner, `/questions/${question?.id}/answer`, { choice: 'reject' })).status).toBe(200);
    });
  },
);
