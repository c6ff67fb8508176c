import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import { isRunning } from '../running-processes.ts';
import { createCliPlace, type CliPlace } from './cli-process.ts';

const patience = { timeout: 30_000 };

const git = (place: CliPlace, ...args: readonly string[]) =>
  execFileSync('git', args, { cwd: place.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

async function inRepository(place: CliPlace): Promise<void> {
  git(place, 'init', '-q', '-b', 'main');
  git(place, 'config', 'user.name', 'Ada');
  git(place, 'config', 'user.email', 'ada@example.org');
  await place.write('a.txt', 'one\n');
  git(place, 'add', '-A');
  git(place, 'commit', '-q', '-m', 'first');
}

const resultOf = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;

test('C90: a run in a worktree leaves the project as it is, and its work is looked at, merged and cleared away', async () => {
  await using place = await createCliPlace();
  await inRepository(place);
  const words = ['run', '--agent', 'testing', '--worktree-name', 'fix', '--auto-approve', '--json'];
  const run = await place.rondo(...words, 'call write {"path":"b.txt","content":"b\\n"}');
  expect(run.code).toBe(0);
  const { worktree } = resultOf(run.out);
  expect(worktree).toMatchObject({ name: 'fix', branch: 'rondo/fix', files: 1 });
  expect(existsSync(path.join(place.project, 'b.txt'))).toBe(false);
  expect(git(place, 'status', '--porcelain')).toBe('');
  expect(await place.json('worktrees')).toMatchObject({ worktrees: [{ name: 'fix', uncommitted: 1 }] });
  expect((await place.rondo('worktrees', 'diff', 'fix')).out).toBe('added     b.txt +1 -0\n');
  const refused = await place.rondo('worktrees', 'remove', 'fix');
  expect([refused.code, refused.out]).toEqual([1, '']);
  expect(refused.err).toContain("1 file isn't committed");
  expect((await place.rondo('worktrees', 'commit', 'fix', '-m', 'adds b')).code).toBe(0);
  expect((await place.rondo('worktrees', 'review', 'fix')).out).toContain('It merges cleanly into main.');
  expect((await place.rondo('worktrees', 'merge', 'fix')).code).toBe(0);
  expect(await readFile(path.join(place.project, 'b.txt'), 'utf8')).toBe('b\n');
  expect((await place.rondo('worktrees', 'remove', 'fix')).out).toBe('Removed worktree fix; branch deleted.\n');
  expect(await place.json('worktrees')).toEqual({ worktrees: [] });
  expect((await place.rondo('worktrees', 'merge', 'fix')).code).toBe(2);
});

test('what a run ends with is reported; without a repository nothing is run', async () => {
  await using place = await createCliPlace();
  const plain = await place.rondo('run', '--agent', 'testing', '--worktree', 'say hello');
  expect([plain.code, plain.out]).toEqual([2, '']);
  expect(plain.err).toMatch(
    /^rondo run: Can't create a worktree: \S+ isn't in a git repository\. Run `git init` there/,
  );
  expect(await place.json('ls')).toMatchObject({ sessions: [] });
  await inRepository(place);
  const run = await place.rondo('run', '--agent', 'testing', '--worktree', 'say hello');
  expect(run.err).toContain('rondo worktrees merge ses_');
  const twice = await place.rondo('run', '--agent', 'testing', '--worktree', '--session', 'latest', 'say x');
  expect(twice.code).toBe(2);
});

test('a worktree uses the configuration of the project, also one that is not committed or was only named', async () => {
  await using place = await createCliPlace();
  await inRepository(place);
  await place.write('rondo.json', { agents: { echo: { description: 'It repeats.' } } });
  await place.write('script.json', [{ text: 'hello' }, { text: 'hello' }, { text: 'hello' }]);
  const model = `scripted:${path.join(place.project, 'script.json')}`;
  const run = (...words: readonly string[]) =>
    place.rondo('run', '--agent', 'echo', '--model', model, '--worktree', ...words, 'say hello');
  const trusted = await run('--trust-project');
  expect([trusted.code, trusted.out, trusted.err.split('\n')[0]]).toEqual([
    0,
    'hello\n',
    expect.stringMatching(/^Kept worktree ses_\S+ \(branch rondo\/ses_\S+\)/),
  ]);
  await place.write('other.json', { agents: { echo: { description: 'It repeats.' } } });
  await rm(path.join(place.project, 'rondo.json'));
  const named = await run('--config', path.join(place.project, 'other.json'));
  expect([named.code, named.out]).toEqual([0, 'hello\n']);
});

test('set-up commands of a project run only when it is trusted', async () => {
  await using place = await createCliPlace();
  await inRepository(place);
  await place.write('rondo.json', { worktrees: { setUp: ['echo set up > set-up.txt'], folder: '../trees' } });
  const run = (name: string, ...more: readonly string[]) =>
    place.rondo('run', '--agent', 'testing', '--worktree-name', name, '--json', ...more, 'say hello');
  const untrusted = resultOf((await run('one')).out)['worktree'] as { readonly path: string };
  expect(existsSync(path.join(untrusted.path, 'set-up.txt'))).toBe(false);
  const trusted = resultOf((await run('two', '--trust-project')).out)['worktree'] as { readonly path: string };
  expect(trusted.path).toBe(path.join(place.home, 'trees/two'));
  expect(await readFile(path.join(trusted.path, 'set-up.txt'), 'utf8')).toBe('set up\n');
});

test('[P12] a worktree is taken over from a killed process, never from a living one', async () => {
  await using place = await createCliPlace();
  await inRepository(place);
  const words = ['run', '--agent', 'testing', '--worktree-name', 'fix', '--json'];
  const first = place.start([...words, 'hang']);
  await first.saw('turn-started');
  const second = await place.rondo(...words, 'say hello');
  expect([second.code, JSON.parse(second.out)]).toMatchObject([1, { type: 'result', outcome: 'failed' }]);
  expect(second.err).toContain('Worktree fix is in use by session ses_');
  first.child.kill('SIGKILL');
  await first.ended;
  expect((await place.rondo(...words, 'say hello')).code).toBe(0);
  const [{ path: folder }] = ((await place.json('worktrees')) as { worktrees: [{ path: string }] }).worktrees;
  await rm(folder, { recursive: true });
  expect((await place.rondo('worktrees', 'prune')).out).toContain('fix');
});

test.for([
  ['SIGTERM', 130],
  ['SIGKILL', null],
] as const)(
  '[C92] [O6] stopped with %s while its worktree is set up, a run leaves no process behind',
  async ([signal, expected]) => {
    await using place = await createCliPlace();
    await inRepository(place);
    const pids = path.join(place.home, 'pids');
    const setUp = `echo $$ >> ${pids}; test -f ${place.home}/ready || sleep 600`;
    await place.write('rondo.json', { worktrees: { setUp: [setUp] } });
    const words = [
      'run',
      '--agent',
      'testing',
      '--worktree-name',
      'fix',
      '--trust-project',
      '--json',
      'say hello',
    ];
    const first = place.start(words);
    await expect.poll(() => existsSync(pids) && readFileSync(pids, 'utf8').trim(), patience).toMatch(/^\d+$/);
    const pid = Number(readFileSync(pids, 'utf8').trim());
    first.child.kill(signal);
    expect((await first.ended).code).toBe(expected);
    await expect.poll(() => isRunning(pid), patience).toBe(false);
    await writeFile(path.join(place.home, 'ready'), '');
    const second = await place.rondo(...words);
    expect([second.code, resultOf(second.out)]).toMatchObject([
      0,
      { outcome: 'completed', worktree: { name: 'fix' } },
    ]);
  },
);
