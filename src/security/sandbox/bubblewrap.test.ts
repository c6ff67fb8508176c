import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { bubblewrap, skipped } from '../../../test/fixtures/bubblewrap.ts';
import { createBubblewrap } from './bubblewrap.ts';
import { type CommandSandbox, inSandbox, isConfined } from './command-sandbox.ts';
import { createNoSandbox, type SandboxLevel, type SandboxRequest } from './sandbox.ts';

let folder = '';
let root = '';
beforeAll(async () => {
  // Not where other tests have their files: what a sandbox shows of /dev/shm is looked at.
  folder = await realpath(await mkdtemp('/tmp/rondo-sandbox-'));
});
beforeEach(async () => {
  root = await mkdtemp(path.join(folder, 'root-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };

describe('never silently unsandboxed', () => {
  test('none is none', async () => {
    expect(await createBubblewrap().wrap(['ls'], { level: 'none', roots: [], env })).toEqual({
      type: 'ready',
      argv: ['ls'],
      env,
      missing: [],
      links: [],
    });
  });

  test.each<SandboxLevel>(['workspace', 'workspace-allow-list', 'workspace-no-network'])(
    '%s without bubblewrap is refused with the install line',
    async (level) => {
      const request = { level, roots: [root], env };
      expect(await createBubblewrap({ program: '/nonexistent/bwrap' }).wrap(['ls'], request)).toEqual({
        type: 'unavailable',
        reason: 'bubblewrap is not installed',
        install: 'apt-get install bubblewrap  (dnf, pacman and apk call it the same)',
        isLasting: true,
      });
      expect(await createNoSandbox('no', 'get one').wrap(['ls'], request)).toEqual({
        type: 'unavailable',
        reason: 'no',
        install: 'get one',
        isLasting: true,
      });
    },
  );

  test('a program that is there and does not work is refused', async () => {
    const wrapped = await createBubblewrap({ program: 'false' }).wrap(['ls'], {
      level: 'workspace',
      roots: [root],
      env,
    });
    expect(wrapped.type).toBe('unavailable');
  });

  test('safety S8d: a stand-in that runs commands as they are does not pass the probe', async () => {
    const standIn = path.join(folder, 'stand-in');
    await writeFile(standIn, '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n', {
      mode: 0o755,
    });
    const wrapped = await createBubblewrap({ program: standIn }).wrap(['ls'], {
      level: 'workspace-no-network',
      roots: [root],
      env,
    });
    expect(wrapped).toMatchObject({ type: 'unavailable', isLasting: true });
    const { reason } = wrapped as { readonly reason: string };
    expect(reason).toContain(
      "doesn't confine commands here: files outside are writable, files outside are readable",
    );
    expect(reason).toContain('the loopback network is reachable');
    expect(reason).toContain('processes of the host are visible');
  });

  test('safety S8: `auto` runs a command unconfined only if no sandbox exists', async () => {
    const missing: CommandSandbox = { port: createNoSandbox('no', 'get one'), level: 'auto' };
    expect(await isConfined([root], missing)).toBe(false);
    expect((await inSandbox({ argv: ['ls'], env, cwd: root }, [root], missing)).type).toBe('ready');
    const broken: CommandSandbox = {
      port: { wrap: async () => ({ type: 'unavailable', reason: 'no', install: 'wait', isLasting: false }) },
      level: 'auto',
    };
    expect((await inSandbox({ argv: ['ls'], env, cwd: root }, [root], broken)).type).toBe('unavailable');
  });
});

describe('safety S8: the arguments, with a stand-in for bubblewrap', () => {
  const sandbox = createBubblewrap({ program: 'bwrap', probe: async () => undefined });
  const argumentsFor = async (request: Partial<SandboxRequest> = {}) => {
    const wrapped = await sandbox.wrap(['true'], {
      level: 'workspace-no-network',
      roots: [root],
      env,
      ...request,
    });
    return wrapped.type === 'ready' ? wrapped.argv.join(' ') : wrapped.reason;
  };

  test('b: all namespaces, none inside, no capability, and it ends with its starter', async () => {
    const text = await argumentsFor();
    for (const flag of [
      '--unshare-user --disable-userns --unshare-ipc --unshare-pid --unshare-uts',
      '--unshare-net',
      '--cap-drop ALL --die-with-parent --new-session',
      '--ro-bind /proc/sys /proc/sys',
    ])
      expect(text).toContain(flag);
  });

  test('c: protected paths are mounts, and so is every folder above them', async () => {
    await mkdir(path.join(root, '.cargo'));
    await writeFile(path.join(root, '.cargo', 'config.toml'), '');
    await mkdir(path.join(root, '.git'));
    const text = await argumentsFor();
    expect(text).toContain(
      [
        `--bind ${root} ${root}`,
        `--bind ${root}/.cargo ${root}/.cargo`,
        `--ro-bind ${root}/.git ${root}/.git`,
        `--ro-bind ${root}/.cargo/config.toml ${root}/.cargo/config.toml`,
      ].join(' '),
    );
  });

  test("c: [S7] the repository's hooks folder is read-only too", async () => {
    await mkdir(path.join(root, '.git'));
    await mkdir(path.join(root, '.husky', '_'), { recursive: true });
    const before = await argumentsFor();
    await writeFile(path.join(root, '.git', 'config'), '[core]\n\thooksPath = .husky/_\n');
    const mount = `--ro-bind ${root}/.husky ${root}/.husky`;
    expect([before.includes(mount), (await argumentsFor()).includes(mount)]).toEqual([false, true]);
  });

  test('c: a link at a protected path ends unasked running', async () => {
    const confined: CommandSandbox = { port: sandbox, level: 'auto' };
    expect(await isConfined([root], confined)).toBe(true);
    await symlink('elsewhere', path.join(root, '.vscode'));
    expect(await isConfined([root], confined)).toBe(false);
  });

  test("e: an open network doesn't count as confinement", async () => {
    expect(await isConfined([root], { port: sandbox, level: 'workspace' })).toBe(false);
    expect(await isConfined([root], { port: sandbox, level: 'container' })).toBe(true);
  });

  test('h: while committing the repository is open, its hooks are not, and there is no network', async () => {
    await mkdir(path.join(root, '.git', 'hooks'), { recursive: true });
    const text = await argumentsFor({ profile: 'commits', level: 'workspace-allow-list' });
    expect(text).toContain(`--bind ${root}/.git ${root}/.git --ro-bind ${root}/.git/hooks ${root}/.git/hooks`);
    expect(text).toContain('--unshare-net');
  });

  test('h: while committing, other protected paths stay mounted; while checking out they are not', async () => {
    await mkdir(path.join(root, '.git', 'rondo'), { recursive: true });
    await writeFile(path.join(root, '.npmrc'), '');
    const npmrc = `--ro-bind ${root}/.npmrc ${root}/.npmrc`;
    const commits = await argumentsFor({ profile: 'commits' });
    const checkouts = await argumentsFor({ profile: 'checkouts' });
    expect([commits.includes(npmrc), checkouts.includes(npmrc)]).toEqual([true, false]);
    for (const text of [commits, checkouts])
      expect(text).toContain(`--ro-bind ${root}/.git/rondo ${root}/.git/rondo`);
  });

  test('the programs that confine never come from the PATH, which may lead into the project', async () => {
    const bin = path.join(root, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    const before = [process.env['PATH'], process.env['RONDO_BWRAP']];
    delete process.env['RONDO_BWRAP'];
    process.env['PATH'] = `${bin}:${before[0] ?? ''}`;
    try {
      for (const name of ['bwrap', 'prlimit'])
        await writeFile(path.join(bin, name), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
      const port = createBubblewrap({ probe: async () => undefined });
      const ready = await inSandbox({ argv: ['true'], env, cwd: root }, [root], { port, level: 'auto' });
      const programs =
        ready.type === 'ready' ? ready.argv.filter((word) => /(?:^|\/)(?:bwrap|prlimit)$/.test(word)) : [];
      expect(programs.length).toBeGreaterThan(0);
      expect(programs.filter((program) => !program.startsWith('/usr/') && !program.startsWith('/bin/'))).toEqual(
        [],
      );
    } finally {
      [process.env['PATH'], process.env['RONDO_BWRAP']] = before;
    }
  });

  test('a: what the agent puts into the environment widens nothing and loads nothing outside', async () => {
    const keys = path.join(folder, 'keys');
    await mkdir(keys, { recursive: true });
    await writeFile(path.join(keys, 'tool'), '', { mode: 0o755 });
    const hostile = { PATH: keys, HOME: root, LD_PRELOAD: './evil.so', GLIBC_TUNABLES: 'x', OTHER: 'kept' };
    const wrapped = await sandbox.wrap(['true'], { level: 'workspace-no-network', roots: [root], env: hostile });
    if (wrapped.type === 'unavailable') throw new Error(wrapped.reason);
    expect(wrapped.argv).not.toContain(keys);
    expect(wrapped.env).toMatchObject({ PATH: keys, HOME: root, OTHER: 'kept' });
    expect(Object.keys(wrapped.env).filter((name) => /^LD_|^GLIBC/.test(name))).toEqual([]);
    expect(wrapped.argv.join(' ')).toContain('--setenv LD_PRELOAD ./evil.so --setenv GLIBC_TUNABLES x');
  });

  test('a home folder is never a root', async () => {
    expect(await argumentsFor({ roots: [env.HOME] })).toBe(
      `${await realpath(env.HOME)} contains more than one project`,
    );
  });
});

describe.skipIf(bubblewrap === undefined)(`inside bubblewrap${skipped}`, () => {
  const sandbox = createBubblewrap({ program: bubblewrap ?? '', rondoHome: '/nonexistent' });

  const run = async (
    code: string,
    request: Partial<SandboxRequest> = {},
  ): Promise<{ code: unknown; output: string }> => {
    const wrapped = await sandbox.wrap(['bash', '--norc', '-c', code], {
      level: 'workspace-no-network',
      roots: [root],
      env,
      ...request,
    });
    if (wrapped.type === 'unavailable') throw new Error(wrapped.reason);
    return start(wrapped);
  };

  test('safety S8d: it passes the probe, starts in the root and may write there', async () => {
    expect(await run('echo hello > made; pwd')).toEqual({ code: 0, output: `${root}\n` });
    expect(await readFile(path.join(root, 'made'), 'utf8')).toBe('hello\n');
  });

  test('the exit code comes through', async () => {
    expect(await run('exit 7')).toEqual({ code: 7, output: '' });
  });

  /** Each command works outside the sandbox, so that its refusal inside proves something. */
  test.each([
    ['write outside the root', 'test -e ../secret && echo x >> ../secret'],
    ['read outside the root', 'cat ../secret'],
    ['move .git away and put a copy in its place', 'mv .git x && cp -r x .git'],
    ['write into .git', 'touch .git/hooks/pre-commit'],
    ['change .npmrc', 'echo script-shell=./x >> .npmrc'],
    ['move the folder of a protected file', 'mv .cargo y'],
    ['delete a protected file', 'rm .cargo/config.toml'],
  ])('safety S8: it may not %s', async (_name, attack) => {
    const prepare = async () => {
      root = await mkdtemp(path.join(folder, 'root-'));
      await mkdir(path.join(root, '.git', 'hooks'), { recursive: true });
      await mkdir(path.join(root, '.cargo'));
      await writeFile(path.join(root, '.cargo', 'config.toml'), '');
      await writeFile(path.join(root, '.npmrc'), '');
      await writeFile(path.join(folder, 'secret'), 'secret');
    };
    const code = `(${attack}) >/dev/null 2>&1 && echo done || echo refused`;
    await prepare();
    expect(await start({ argv: ['bash', '--norc', '-c', code], env, cwd: root })).toEqual({
      code: 0,
      output: 'done\n',
    });
    await prepare();
    expect(await run(code)).toEqual({ code: 0, output: 'refused\n' });
  });

  test.each([
    ['the system', 'touch /etc/x /usr/x /x'],
    ['a mount made writable again', 'mount -o remount,rw /usr'],
    ['/proc/sys', ': >> /proc/sys/kernel/core_pattern'],
    ['a namespace of its own', 'unshare --user --map-root-user true'],
    ['the loopback network', 'exec 3<>/dev/tcp/127.0.0.1/80'],
    ['the password file', 'grep -q . /etc/shadow'],
  ])('safety S8b: it gets nothing of %s', async (_name, code) => {
    expect(await run(`(${code}) >/dev/null 2>&1 && echo done || echo refused`)).toEqual({
      code: 0,
      output: 'refused\n',
    });
  });

  test('safety S8a: home, /run and /tmp are empty, other processes are not there', async () => {
    // Node itself is visible, wherever it is: a clone in /tmp has its own.
    const [, , toolchain] = process.execPath.split(path.sep);
    const code =
      `ls /run /dev/shm; ls /tmp | grep -v rondo-sandbox | grep -vx '${toolchain}'; ` +
      'ls ~/.ssh ~/.aws ~/.rondo 2>/dev/null; ls /proc | grep -c "^[0-9]" | { read n; [ "$n" -lt 10 ] && echo alone; }';
    expect(await run(code)).toEqual({ code: 0, output: '/dev/shm:\n\n/run:\nalone\n' });
  });

  test('safety S8a: temporary files are limited in size', async () => {
    const code = 'head -c 1100M /dev/zero > /tmp/full 2>/dev/null && echo done || echo refused';
    expect(await run(code)).toEqual({ code: 0, output: 'refused\n' });
  });

  test("hidden paths can't be read", async () => {
    await mkdir(path.join(root, 'keys'));
    await writeFile(path.join(root, 'keys', 'key'), 'the key');
    expect(await run('cat keys/key 2>/dev/null; echo', { hidden: [path.join(root, 'keys')] })).toEqual({
      code: 0,
      output: '\n',
    });
  });

  test('it ends with what started it', async () => {
    const wrapped = await sandbox.wrap(['sleep', '1000'], { level: 'workspace-no-network', roots: [root], env });
    if (wrapped.type === 'unavailable') throw new Error(wrapped.reason);
    const [program = '', ...args] = wrapped.argv;
    // A parent that dies immediately, without a chance to end its child.
    const parent = `const c=require('node:child_process').spawn(process.argv[1],process.argv.slice(2),{detached:true,stdio:'ignore'});setTimeout(()=>{console.log(c.pid);process.kill(process.pid,'SIGKILL')},300)`;
    const { output } = await start({ argv: [process.execPath, '-e', parent, program, ...args], env });
    const child = Number(output.trim());
    await expect.poll(() => existsSync(`/proc/${child}`)).toBe(false);
  });

  test('safety S8c: moves away and names anything that appears at a protected path', async () => {
    const state = path.join(folder, 'state');
    const confined: CommandSandbox = { port: sandbox, level: 'auto', state };
    const argv = ['bash', '--norc', '-c', 'mkdir .vscode && echo evil > .vscode/tasks.json && echo x > kept'];
    const ready = await inSandbox({ argv, env, cwd: root }, [root], confined);
    if (ready.type === 'unavailable') throw new Error(ready.message);
    await start({ ...ready, cwd: root });
    const notes = await ready.finish();
    expect(notes).toHaveLength(1);
    const moved = /moved to (\S+),/.exec(notes[0]?.note ?? '')?.[1] ?? '';
    expect(await readFile(path.join(moved, 'tasks.json'), 'utf8')).toBe('evil\n');
    expect([existsSync(path.join(root, '.vscode')), existsSync(path.join(root, 'kept'))]).toEqual([false, true]);
  });

  test('safety S8c: a folder replaced by a link leads no repair of Rondo out of the root', async () => {
    const home = path.join(folder, 'a-home');
    await mkdir(home);
    await writeFile(path.join(home, 'config.toml'), "a person's\n");
    const state = path.join(folder, 'state');
    const confined: CommandSandbox = { port: sandbox, level: 'auto', state };
    const after = async (script: string, profile: 'work' | 'checkouts') => {
      const argv = ['bash', '--norc', '-c', script];
      const ready = await inSandbox({ argv, env, cwd: root, profile }, [root], confined);
      if (ready.type === 'unavailable') throw new Error(ready.message);
      expect((await start({ ...ready, cwd: root })).code).toBe(0);
      return (await ready.finish()).map(({ file }) => file);
    };
    // The names below it are missing, so what is there now would be moved away.
    expect(await after(`ln -s ${home} .cargo`, 'work')).toEqual([path.join(root, '.cargo')]);
    expect(await readFile(path.join(home, 'config.toml'), 'utf8')).toBe("a person's\n");
    // It exists, so it would be put back where the link leads.
    await mkdir(path.join(root, '.cargo'));
    await writeFile(path.join(root, '.cargo', 'config.toml'), "the project's\n");
    await after(`mv .cargo x && ln -s ${home} .cargo`, 'checkouts');
    expect(await readFile(path.join(home, 'config.toml'), 'utf8')).toBe("a person's\n");
    expect(await readFile(path.join(root, '.cargo', 'config.toml'), 'utf8')).toBe("the project's\n");
  });

  test('safety S8c: [S7] a hook behind core.hooksPath can be neither changed nor added', async () => {
    await start({ argv: ['git', 'init', '--quiet'], env, cwd: root });
    await mkdir(path.join(root, 'tools', 'hooks'), { recursive: true });
    const attack =
      'echo evil > tools/hooks/pre-commit || { mv tools x && cp -r x tools && echo evil > tools/hooks/p; }';
    expect((await run(attack)).code).toBe(0);
    await rm(path.join(root, 'tools', 'hooks', 'pre-commit'));
    await start({ argv: ['git', 'config', 'core.hooksPath', 'tools/hooks'], env, cwd: root });
    expect((await run(attack)).code).not.toBe(0);
  });

  test('safety S8h: a commit may write the repository; settings and hooks stay as they were', async () => {
    const git = (...args: readonly string[]) => start({ argv: ['git', ...args], env, cwd: root });
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', 'Test');
    await git('config', 'user.email', 'test@example.org');
    const settings = await readFile(path.join(root, '.git', 'config'), 'utf8');
    const confined: CommandSandbox = { port: sandbox, level: 'auto' };
    const attack =
      'echo x > a && git add a && git commit -qm First && git config core.fsmonitor ./evil && (echo evil > .git/hooks/pre-commit; true)';
    const argv = ['bash', '--norc', '-c', attack];
    const ready = await inSandbox({ argv, env, cwd: root, profile: 'commits' }, [root], confined);
    if (ready.type === 'unavailable') throw new Error(ready.message);
    expect((await start({ ...ready, cwd: root })).code).toBe(0);
    const changed = await readFile(path.join(root, '.git', 'config'), 'utf8');
    expect(changed).toContain('fsmonitor');
    expect(await ready.finish()).toEqual([
      {
        file: `${root}/.git/config`,
        note: `${root}/.git/config decides which programs run, so the change was reverted.`,
      },
    ]);
    expect(await readFile(path.join(root, '.git', 'config'), 'utf8')).toBe(settings);
    expect(existsSync(path.join(root, '.git', 'hooks', 'pre-commit'))).toBe(false);
    expect((await git('log', '--format=%s')).output).toBe('First\n');
  });

  test('safety S8h: puts back and names protected files that a checkout changes', async () => {
    const git = (...args: readonly string[]) => start({ argv: ['git', ...args], env, cwd: root });
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', 'Test');
    await git('config', 'user.email', 'test@example.org');
    await writeFile(path.join(root, '.npmrc'), 'good\n');
    await git('add', '.npmrc');
    await git('commit', '--quiet', '--message=Good');
    await git('switch', '--quiet', '-c', 'evil');
    await writeFile(path.join(root, '.npmrc'), 'evil\n');
    await writeFile(path.join(root, '.mcp.json'), '{}');
    await git('add', '.npmrc', '.mcp.json');
    await git('commit', '--quiet', '--message=Evil');
    await git('switch', '--quiet', 'main');
    const confined: CommandSandbox = { port: sandbox, level: 'auto', state: path.join(folder, 'state') };
    const argv = ['git', 'switch', '--quiet', 'evil'];
    const ready = await inSandbox({ argv, env, cwd: root, profile: 'checkouts' }, [root], confined);
    if (ready.type === 'unavailable') throw new Error(ready.message);
    expect((await start({ ...ready, cwd: root })).code).toBe(0);
    expect(await readFile(path.join(root, '.npmrc'), 'utf8')).toBe('evil\n');
    expect(await ready.finish()).toEqual([
      {
        file: `${root}/.mcp.json`,
        kept: expect.stringMatching(/\.mcp\.json$/),
        note: expect.stringContaining(`${root}/.mcp.json decides which programs run on this machine`),
      },
      {
        file: `${root}/.npmrc`,
        note: `${root}/.npmrc decides which programs run, so the change was reverted.`,
      },
    ]);
    expect(await readFile(path.join(root, '.npmrc'), 'utf8')).toBe('good\n');
    expect(existsSync(path.join(root, '.mcp.json'))).toBe(false);
    expect((await git('branch', '--show-current')).output).toBe('evil\n');
  });

  test('safety S8h: a linked worktree commits through the folders it is linked to', async () => {
    const main = path.join(root, 'main');
    const linked = path.join(root, 'linked');
    await mkdir(main);
    const git = (cwd: string, ...args: readonly string[]) => start({ argv: ['git', ...args], env, cwd });
    await git(main, 'init', '--quiet', '--initial-branch=main');
    await git(main, 'config', 'user.name', 'Test');
    await git(main, 'config', 'user.email', 'test@example.org');
    await git(main, 'commit', '--quiet', '--allow-empty', '--message=First');
    await git(main, 'worktree', 'add', '--quiet', linked);
    const { outerGitDirs } = await import('../../git/sandboxed-git.ts');
    const confined: CommandSandbox = { port: sandbox, level: 'auto', gitDirsOf: outerGitDirs };
    const inside = async (code: string, profile: 'work' | 'commits') => {
      const ready = await inSandbox({ argv: ['bash', '-c', code], env, cwd: linked, profile }, [linked], confined);
      if (ready.type === 'unavailable') throw new Error(ready.message);
      const ended = await start({ ...ready, cwd: linked });
      return [ended.output, await ready.finish()];
    };
    expect(await inside('git commit -q --allow-empty -m No 2>/dev/null || git log --format=%s', 'work')).toEqual([
      'First\n',
      [],
    ]);
    expect(await inside('git commit -q --allow-empty -m Second; git log --format=%s', 'commits')).toEqual([
      'Second\nFirst\n',
      [],
    ]);
    expect((await git(main, 'worktree', 'list')).output).toContain(linked);
  });
});

function start(command: {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}): Promise<{ code: unknown; output: string }> {
  const [program = '', ...args] = command.argv;
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: command.env, cwd: command.cwd ?? root }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, output: stdout }),
    );
    child.stdin?.end();
  });
}
