// User mistakes: each error says what failed, for what, and what to do next.
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { createCliPlace, type Ended } from './cli-process.ts';

const told = ({ code, err }: Ended) => ({ code, err: err.split('\nRun `')[0]?.trimEnd() });

test('unknown names are answered with where to look and exit code 2', async () => {
  await using place = await createCliPlace();
  const { out: session } = await place.rondo('run', '--agent', 'testing', '--json', 'say hi');
  const { session: id } = JSON.parse(session.trim().split('\n').at(-1) ?? '') as { session: string };
  expect([
    told(await place.rondo('token', 'revoke', 'tok_none')),
    told(await place.rondo('fork', id, '--at', '999')),
    told(await place.rondo('export', 'latest', '-o', '/nowhere/x')),
    told(await place.rondo('run', '-c', 'hi')),
    told(await place.rondo('token', 'list', '--role', 'owner')),
    told(await place.rondo('help', 'shwo')),
    told(await place.rondo('run', '--cwd', '/nowhere/at/all', 'hi')),
    told(await place.rondo('run', '/clear')),
    told(await place.rondo('store', 'copy', 'sqlite:/nowhere/rondo.db', 'sqlite:./copy.db')),
  ]).toEqual([
    { code: 2, err: 'rondo token: unknown token tok_none; `rondo token list` lists them' },
    {
      code: 2,
      err: `rondo fork: Can't fork session ${id}: it has no event 999. \`rondo show ${id} --events\` lists them.`,
    },
    {
      code: 2,
      err: "rondo export: can't write /nowhere/x: its folder doesn't exist. Create it, or choose another one",
    },
    {
      code: 2,
      err: 'rondo run: -c belongs to `rondo chat`; to continue the newest session use --session latest',
    },
    { code: 2, err: "rondo token: --role doesn't apply to `rondo token list`; use it with `rondo token create`" },
    { code: 2, err: 'rondo: unknown command "shwo"; did you mean "show"?' },
    {
      code: 2,
      err: "rondo run: Folder /nowhere/at/all doesn't exist. Create it, or choose another one.",
    },
    { code: 2, err: 'rondo run: /clear needs a conversation on a screen: use `rondo chat` or the web app' },
    { code: 2, err: 'rondo store: There is no store at /nowhere/rondo.db. Nothing was copied.' },
  ]);
});

test('[P3][C115] a broken configuration, which an agent can write, prevents no look at sessions and no stop', async () => {
  await using place = await createCliPlace();
  const asked = await place.rondo('run', '--agent', 'testing', 'call write {"path":"a.txt","content":"a"}');
  expect(asked.code).toBe(3);
  const question = /q_\w+/.exec(asked.err)?.[0] ?? '';
  const broken: readonly (readonly [string, string])[] = [
    ['rondo.json', '{ "limts": {} '],
    ['rondo.json', '{ "limts": {}, "store": 7 }'],
    ['.rondo/config.json', '{}'],
  ];
  for (const [file, text] of broken) {
    await place.write(file, text);
    expect(await place.rondo('run', 'hi')).toMatchObject({ code: 2, out: '' });
    for (const [words, code] of [
      [['ls'], 0],
      [['show', 'latest'], 0],
      [['inbox'], 3],
    ] as const) {
      const ended = await place.rondo(...words);
      expect({ words, code: ended.code, err: place.masked(ended.err) }).toEqual({
        words,
        code,
        err: expect.stringMatching(/^warning: ~\/project\/rondo\.json/) as string,
      });
    }
  }
  expect(await place.rondo('answer', question, 'deny')).toMatchObject({ code: 0 });
  const cancelled = await place.rondo('cancel', 'latest');
  expect({ code: cancelled.code, out: place.masked(cancelled.out) }).toEqual({
    code: 0,
    out: 'Cancelled session ses_X. No process was running it.\n',
  });
});

test('[P5] with a broken file of the user, which may name another store, reading commands say which store they use', async () => {
  await using place = await createCliPlace();
  await place.rondo('run', '--agent', 'testing', 'say hi');
  const config = path.join(place.home, '.rondo', 'config.json');
  await writeFile(config, '{ "store": "sqlite:/srv/rondo.db", ');
  const told = async (...words: readonly string[]) => {
    const { code, err } = await place.rondo(...words);
    return {
      code,
      said: place
        .masked(err)
        .split('\n')
        .filter((line) => line.includes('store')),
    };
  };
  const said = ['Looking at the default store, sqlite:~/.rondo/rondo.db. --store names another one.'];
  expect([await told('ls'), await told('show', 'latest'), await told('inbox')]).toEqual([
    { code: 0, said },
    { code: 0, said },
    { code: 0, said },
  ]);
  expect(await told('ls', '--store', `sqlite:${place.home}/.rondo/rondo.db`)).toEqual({ code: 0, said: [] });
  // A file in which only something else is wrong still names the store.
  await writeFile(config, `{ "store": "sqlite:${place.home}/other.db", "limts": {} }`);
  expect(await told('ls')).toEqual({ code: 0, said: [] });
});

test('[C115] a missing key of a named model ends with 2 before a session is created', async () => {
  await using place = await createCliPlace();
  expect(told(await place.rondo('run', '--model', 'anthropic/claude-sonnet-4-5', 'hi'))).toEqual({
    code: 2,
    err: 'rondo run: anthropic/claude-sonnet-4-5 was not called: no key for https://api.anthropic.com. Check the key: ANTHROPIC_API_KEY in the environment.',
  });
  expect(await place.json('ls')).toEqual({ sessions: [], more: false });
});

test('a link is made for the latest session, and for the beginning of an id', async () => {
  await using place = await createCliPlace();
  await place.rondo('run', '--agent', 'testing', 'say hi');
  const { sessions } = (await place.json('ls')) as { sessions: readonly { session: string }[] };
  const server = place.start(['serve', '--port', '0']);
  await server.saw('http');
  for (const name of ['latest', sessions[0]?.session.slice(0, 14) ?? '']) {
    expect(await place.rondo('share', 'create', name)).toMatchObject({ code: 0 });
  }
});

test('[C153] an agent that needs a label which this machine does not offer is refused, with what to do', async () => {
  await using place = await createCliPlace();
  await mkdir(path.join(place.home, '.rondo'), { recursive: true, mode: 0o700 });
  const configure = (config: object) =>
    writeFile(path.join(place.home, '.rondo/config.json'), JSON.stringify(config));
  const agents = { builder: { needs: ['docker'] }, alone: { tools: 'none' } };
  const mcpServers = { box: { command: 'nothing-to-start', needs: ['box'] } };
  await configure({ agents, mcpServers });
  const refused = (what: string) =>
    `rondo run: Can't create a session: Agent ${what}, which this machine doesn't offer. No running node does. ` +
    'If this machine can serve it, add the label to "server": { "labels": […] } in rondo.json.';
  expect([
    told(await place.rondo('run', '--agent', 'builder', 'list files')),
    told(await place.rondo('run', 'list files')),
    (await place.rondo('run', '--agent', 'alone', 'hello')).code,
  ]).toEqual([
    { code: 1, err: refused('builder needs the labels box, docker') },
    { code: 1, err: refused('assistant needs the label box') },
    0,
  ]);
  await configure({ agents, server: { labels: ['docker'] } });
  expect(await place.rondo('run', '--agent', 'builder', 'list files')).toMatchObject({ code: 0 });
});

test('a missing server, a port in use and an unknown session are reported as such', async () => {
  await using place = await createCliPlace();
  expect(told(await place.rondo('attach', 'latest', '--url', 'http://127.0.0.1:9'))).toEqual({
    code: 1,
    err: "rondo attach: Can't reach the server at http://127.0.0.1:9. Start it with `rondo serve`, or use `rondo chat --alone`.",
  });
  const server = place.start(['serve', '--port', '0']);
  await server.saw('#token=');
  const { url } = (await place.json('token', 'link')) as { url: string };
  const { port, origin } = new URL(url);
  expect([
    told(await place.rondo('attach', 'nothing')),
    told(await place.rondo('chat', '--agent', 'nobody')),
    told(await place.start(['run', '--agent', 'claude', 'hi'], { env: { PATH: '/nowhere' } }).ended),
    told(await place.rondo('serve', '--port', port)),
  ]).toEqual([
    {
      code: 2,
      err: 'rondo attach: Unknown session nothing; `rondo ls` lists them.',
    },
    {
      code: 2,
      err: "rondo chat: Can't create a session: unknown agent nobody; use one of assistant, testing.",
    },
    {
      code: 2,
      err:
        "rondo run: Can't create a session: unknown agent claude; use one of assistant, testing. To get Claude Code: npm install " +
        '-g @agentclientprotocol/claude-agent-acp, or find it with `rondo agents search claude` (docs/guides/host-an-agent.md).',
    },
    {
      code: 2,
      err:
        `rondo serve: Your own server already runs at ${origin} (process ${server.child.pid}); ` +
        '`rondo token link` prints a sign-in link.',
    },
  ]);
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});

test('where git is missing, that is reported, not that the folder is in no repository', async () => {
  await using place = await createCliPlace();
  execFileSync('git', ['init', '-q'], { cwd: place.project });
  const withoutGit = place.start(['worktrees'], { env: { PATH: '/nowhere' } });
  expect(told(await withoutGit.ended)).toEqual({
    code: 2,
    err: "rondo worktrees: git isn't installed, or isn't on the PATH, so there are no worktrees.",
  });
});

test('a server at its memory limit reports it to clients that want a session', async () => {
  await using place = await createCliPlace();
  await mkdir(path.join(place.home, '.rondo'), { recursive: true, mode: 0o700 });
  const config = JSON.stringify({ server: { maxMemoryMB: 1 } });
  await writeFile(path.join(place.home, '.rondo/config.json'), config, { mode: 0o600 });
  const server = place.start(['serve', '--port', '0']);
  await server.saw('#token=');
  const { origin: url } = new URL(((await place.json('token', 'link')) as { url: string }).url);
  const token = await readFile(path.join(place.home, '.rondo/token'), 'utf8');
  const answer = await fetch(`${url}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await answer.json()).toMatchObject({
    code: 'LIMIT_REACHED',
    detail: expect.stringMatching(/of its memory limit of 1.0 MB\. End finished sessions, or retry/),
  });
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
});
