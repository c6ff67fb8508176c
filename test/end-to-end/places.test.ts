// A session on a repository: the machine that runs it dies in the middle of a turn, another one finishes and pushes.
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { branchesOf as branches, createBareRemote, git } from '../fixtures/bare-remote.ts';
import { noNats } from '../fixtures/nats/server.ts';
import { freshNatsStore } from '../fixtures/nats/store-under-test.ts';
import { noServer } from '../fixtures/postgres/server.ts';
import { freshSchema, hasServer } from '../fixtures/postgres/shared-server.ts';
import { createCliPlace } from './cli-process.ts';

test('[C154] a run on a repository leaves a branch, and nothing in the folder it was started in', async () => {
  await using place = await createCliPlace();
  const { remote } = createBareRemote();
  const prompt = 'call write {"path":"b.txt","content":"two\\n"}\nsay Wrote it';
  const relative = path.relative(place.project, remote);
  expect(relative).toMatch(/^\.\.\//);
  const run = await place.rondo('run', '--agent', 'testing', '--allow', 'write', '--repo', relative, prompt);
  const [, branch] = branches(remote);
  expect({ code: run.code, out: run.out, err: run.err.trimEnd().split('\n').at(-1) }).toEqual({
    code: 0,
    out: 'Wrote it\n',
    err: `Pushed branch ${branch} at ${git(remote, 'rev-parse', branch ?? '').slice(0, 10)}`,
  });
  expect(git(remote, 'show', `${branch}:b.txt`)).toBe('two');
  expect(readdirSync(place.project).includes('b.txt')).toBe(false);
  const kept = await place.rondo(
    'run',
    '--agent',
    'testing',
    '--allow',
    'write',
    '--repo',
    remote,
    '--no-push',
    prompt,
  );
  const [, folder = '', own] = /^Not pushed\. The result is in (\S+), on branch (\S+)\.$/m.exec(kept.err) ?? [];
  expect([readdirSync(folder).includes('b.txt'), git(folder, 'branch', '--show-current')]).toEqual([true, own]);
  expect(branches(remote)).toHaveLength(2);
  expect((await place.rondo('run', '--repo', remote, '--cwd', '.', 'x')).code).toBe(2);
  expect((await place.rondo('run', '--repo', 'https://a:b@127.0.0.1/x.git', 'x')).err).toContain(
    'contains credentials',
  );
});

test('[C154] [P9] a run on a repository that ends with a question exits at once', async () => {
  await using place = await createCliPlace();
  const { remote } = createBareRemote();
  const began = performance.now();
  const prompt = 'call write {"path":"b.txt","content":"two\\n"}';
  const { code, err } = await place.rondo('run', '--agent', 'testing', '--repo', remote, prompt);
  expect({ code, isAsking: err.includes('Allow write on b.txt?') }).toEqual({ code: 3, isAsking: true });
  expect(performance.now() - began).toBeLessThan(60_000);
});

const engines = [
  { name: 'PostgreSQL', missing: hasServer() ? undefined : noServer, fresh: freshSchema },
  { name: 'NATS', missing: noNats(), fresh: freshNatsStore },
];

describe.each(engines)('on $name', ({ missing, fresh }) => {
  test.skipIf(missing !== undefined)(
    `[C154] [O4] [P2] killed in the middle of a turn, a session continues on another node with its uncommitted files ${missing ?? ''}`,
    { timeout: 120_000 },
    async () => {
      const store = ['--store', await fresh()];
      await using one = await createCliPlace();
      await using two = await createCliPlace();
      const { remote } = createBareRemote();
      const server = two.start(['serve', '--port', '0', '--node', 'two', ...store]);
      await server.saw('#token=');
      const prompt = [
        'call write {"path":"part.txt","content":"half done\\n"}',
        'call shell {"command":"sleep 300"}',
        'call write {"path":"rest.txt","content":"finished\\n"}',
        'say Done on another machine',
      ].join('\n');
      const allow = ['--allow', 'write', '--allow', 'shell(sleep *)'];
      const run = one.start(['run', '--json', '--agent', 'testing', ...allow, '--repo', remote, ...store, prompt]);
      await run.saw('"type":"files-saved"');
      run.child.kill('SIGKILL');
      await expect.poll(() => branches(remote).length, { timeout: 60_000 }).toBe(2);
      const [, branch = ''] = branches(remote);
      expect({
        part: git(remote, 'show', `${branch}:part.txt`),
        rest: git(remote, 'show', `${branch}:rest.txt`),
      }).toEqual({ part: 'half done', rest: 'finished' });
      const shown = await two.rondo('show', 'latest', ...store);
      expect(shown.out).toContain('Moved to another machine, with the files saved last');
      expect(shown.out).toContain('Done on another machine');
      expect((await two.rondo('replay', 'latest', ...store)).code).toBe(0);
      server.child.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
    },
  );
});

test.skipIf(!hasServer())(
  `[C154] a session in a folder runs only on the machine that has it, and a fork continues elsewhere ${hasServer() ? '' : noServer}`,
  { timeout: 60_000 },
  async () => {
    const store = ['--store', await freshSchema()];
    await using place = await createCliPlace();
    const on = async (machine: string, ...words: readonly string[]) => {
      const process = place.start([...words, ...store], { env: { RONDO_MACHINE: machine } });
      const { code, out, err } = await process.ended;
      return { code, out, err };
    };
    const run = await on('laptop', 'run', '--agent', 'testing', '--json', 'say one');
    const session = /ses_[a-z0-9]+/.exec(run.out)?.[0] ?? '';
    const waiting = await on('tower', 'run', '--session', session, 'say two');
    expect({
      code: waiting.code,
      why: waiting.err.includes('Its folder is on laptop, where no node runs.'),
    }).toEqual({
      code: 3,
      why: true,
    });
    // Waiting is the default. Every surface names the machine, and what else a person can do.
    const waits = `Its folder is on laptop, where no node runs. Wait until \`rondo serve\` runs there, continue here without its files (rondo continue ${session}), or fork it (rondo fork ${session} --folder DIR).`;
    expect((await on('tower', 'show', session)).out).toContain(`waits     ${waits}`);
    expect(await on('tower', 'inbox')).toMatchObject({ code: 3, out: expect.stringContaining(waits) });
    expect((await on('tower', 'ls')).out).toContain('\twaits for laptop\t');
    const fork = (await on('tower', 'fork', session, '--folder', place.project)).out.trim();
    expect(await on('tower', 'run', '--session', fork, 'say three')).toMatchObject({ code: 0, out: 'three\n' });
    // The prompt is stored, and the machine with the folder takes it.
    expect(await on('laptop', 'run', '--session', session, 'say four')).toMatchObject({ code: 0, out: 'four\n' });
    expect((await on('laptop', 'show', session)).out).toContain('two');
    expect((await on('laptop', 'inbox')).code).toBe(0);
  },
);

test.skipIf(!hasServer())(
  `[C154] [O4] a person continues a session elsewhere whose machine died in the middle of a turn ${hasServer() ? '' : noServer}`,
  { timeout: 90_000 },
  async () => {
    const store = ['--store', await freshSchema()];
    await using laptop = await createCliPlace();
    await using tower = await createCliPlace();
    const prompt =
      'call write {"path":"on-laptop.txt","content":"x"}\ncall shell {"command":"sleep 300"}\nsay done';
    const allow = ['--allow', 'write', '--allow', 'shell(sleep *)'];
    const run = laptop.start(['run', '--json', '--agent', 'testing', ...allow, ...store, prompt], {
      env: { RONDO_MACHINE: 'laptop' },
    });
    await run.saw('"type":"tool-settled"');
    run.child.kill('SIGKILL');
    await run.ended;
    const on = (...words: readonly string[]) =>
      tower.start([...words, ...store], { env: { RONDO_MACHINE: 'tower' } }).ended;
    const session = /ses_[a-z0-9]+/.exec((await on('ls')).out)?.[0] ?? '';
    const moved = await on('continue', session, '--json');
    expect({ code: moved.code, out: moved.out, err: moved.err }).toEqual({
      code: 0,
      out: expect.stringContaining('"machine": "tower"'),
      err: '',
    });
    // It's already on this machine.
    expect((await on('continue', session)).code).toBe(1);
    const next = await on(
      'run',
      '--session',
      session,
      '--allow',
      'write',
      'call write {"path":"on-tower.txt","content":"y"}\nsay here',
    );
    expect({ code: next.code, out: next.out }).toEqual({ code: 0, out: 'here\n' });
    expect(readdirSync(tower.project).includes('on-tower.txt')).toBe(true);
    const shown = (await on('show', session)).out;
    expect(shown).toMatch(/Continued in \S+ on tower by \w+. Left behind: all files of \S+ on laptop/);
    expect(shown).not.toContain('waits ');
    expect((await on('replay', session)).code).toBe(0);
  },
);
