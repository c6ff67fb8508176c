/** Safety S3: repositories that start programs, each shown to work on plain git first. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { repositoryPrograms } from '../../src/git/repository-programs.ts';
import { runGit } from '../../src/git/run-git.ts';
import { createToolWorkspace, type ToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createGitDiffTool } from '../../src/tools/git-diff-tool.ts';
import { createGitLogTool } from '../../src/tools/git-log-tool.ts';
import { createGitStatusTool } from '../../src/tools/git-status-tool.ts';
import { uncommittedFiles } from '../../src/worktrees/work-state.ts';

interface Jail extends AsyncDisposable {
  readonly workspace: ToolWorkspace;
  /** Writes the marker when it is started. */
  readonly trap: string;
  sprung(): Promise<boolean>;
  git(...args: readonly string[]): string;
  /** Plain git, whatever comes of it. */
  plain(args: readonly string[], folder?: string): void;
  write(file: string, content: string): Promise<void>;
}

/** What `git credential fill` reads; other commands ignore it. */
const ASKED = 'protocol=https\nhost=example.org\n\n';

async function jail(): Promise<Jail> {
  const workspace = await createToolWorkspace();
  const { root } = workspace;
  const marker = path.join(root, '..', `marker-${path.basename(root)}`);
  const trap = path.join(root, 'trap.sh');
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  await writeFile(trap, `#!/bin/sh\necho ran > '${marker}'\n`);
  await chmod(trap, 0o755);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', 'notes.txt');
  git('commit', '--quiet', '--message=First');
  return {
    workspace,
    trap,
    git,
    plain: (args, folder = '.') =>
      void spawnSync('git', args, { cwd: path.join(root, folder), input: ASKED, timeout: 10_000 }),
    write: async (file, content) => {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), content);
    },
    async sprung() {
      const was = existsSync(marker);
      await rm(marker, { force: true });
      return was;
    },
    async [Symbol.asyncDispose]() {
      await rm(marker, { force: true });
      await workspace[Symbol.asyncDispose]();
    },
  };
}

const status = createGitStatusTool();
const diff = createGitDiffTool();
const log = createGitLogTool();

async function lookAtAll({ workspace }: Jail, folder?: string): Promise<void> {
  const at = folder === undefined ? {} : { cwd: path.join(workspace.root, folder) };
  const run = { ...workspace.run(), ...at };
  await status.run(folder === undefined ? {} : { path: folder }, workspace.run());
  await diff.run({}, run);
  await diff.run({ staged: true, stat: true }, run);
  await diff.run({ from: 'HEAD' }, run);
  await log.run({ full: true }, run);
  await uncommittedFiles(path.join(workspace.root, folder ?? '.'));
  const cwd = path.join(workspace.root, folder ?? '.');
  for (const args of [
    ['status'],
    ['diff'],
    ['show', 'HEAD'],
    ['blame', 'notes.txt'],
    ['grep', '-e', 'first'],
    ['log', '-p', '-1'],
  ])
    await runGit({ cwd, dir: 'generated', args });
}

interface Attack {
  readonly name: string;
  prepare(jail: Jail): Promise<void>;
  /** What springs the trap with plain git. */
  readonly plain: readonly string[];
  /** Where it is reached. */
  readonly folder?: string;
}

// Of the same length as what is committed: git must look into the file.
const TOUCHED = 'FIRST LINE\nSECOND LINE\n';

const setting =
  (...names: readonly string[]) =>
  async ({ git, trap, write }: Jail): Promise<void> => {
    for (const name of names) git('config', name, trap);
    await write('notes.txt', 'changed\n');
  };

const attacks: readonly Attack[] = [
  {
    name: 'filter.*.clean with .gitattributes',
    prepare: async ({ git, trap, write }) => {
      git('config', 'filter.x.clean', trap);
      await write('.gitattributes', '* filter=x\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'filter.*.process with a name that -c cannot override',
    prepare: async ({ trap, write, workspace, git }) => {
      git('config', 'filter.x.required', 'false');
      await appendFile(path.join(workspace.root, '.git', 'config'), `[filter "a=b"]\n\tclean = ${trap}\n`);
      await write('.gitattributes', '* filter=a=b\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'a filter from an included file',
    prepare: async ({ git, trap, write }) => {
      await write('.git/more', `[filter "x"]\n\tclean = ${trap}\n`);
      git('config', 'include.path', 'more');
      await write('.gitattributes', '* filter=x\n');
      await write('notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
  {
    name: 'log.showSignature with gpg.program',
    prepare: async ({ git, trap }) => {
      const tree = git('rev-parse', 'HEAD^{tree}').trim();
      const who = 'T <t@example.org> 1700000000 +0000';
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n';
      const body = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${signature}\nSigned\n`;
      const commit = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
        cwd: path.dirname(trap),
        input: body,
        encoding: 'utf8',
      });
      git('update-ref', 'refs/heads/main', commit.trim());
      git('config', 'log.showSignature', 'true');
      git('config', 'gpg.program', trap);
    },
    plain: ['log', '-1'],
  },
  { name: 'core.fsmonitor', prepare: setting('core.fsmonitor'), plain: ['status'] },
  { name: 'diff.external', prepare: setting('diff.external'), plain: ['diff'] },
  {
    name: 'diff.*.textconv',
    prepare: async (one) => {
      await one.write('.gitattributes', '* diff=x\n');
      await setting('diff.x.textconv')(one);
    },
    plain: ['diff'],
  },
  {
    name: 'diff.*.command',
    prepare: async (one) => {
      await one.write('.gitattributes', '* diff=x\n');
      await setting('diff.x.command')(one);
    },
    plain: ['diff'],
  },
  {
    name: 'an embedded bare repository reached by path or cwd',
    prepare: async ({ git, trap, workspace, write }) => {
      git('clone', '--quiet', '--bare', '.', 'docs/engine');
      git('-C', 'docs/engine', 'config', 'core.bare', 'false');
      git('-C', 'docs/engine', 'config', 'core.worktree', workspace.root);
      git('--git-dir=docs/engine', 'config', 'core.fsmonitor', trap);
      await write('notes.txt', 'changed\n');
    },
    plain: ['status'],
    folder: 'docs/engine',
  },
  {
    name: 'a repository inside that brings its own configuration',
    prepare: async ({ git, trap, workspace, write }) => {
      git('clone', '--quiet', '.', 'vendor/lib');
      git('-C', 'vendor/lib', 'config', 'core.fsmonitor', trap);
      await writeFile(path.join(workspace.root, 'vendor/lib/notes.txt'), 'changed\n');
      await write('notes.txt', 'changed\n');
    },
    plain: ['status'],
    folder: 'vendor/lib',
  },
  {
    name: 'the configuration of a submodule, which git reads for the status of the repository around it',
    prepare: async ({ git, trap, workspace, write }) => {
      const library = path.join(workspace.root, '..', `library-${path.basename(workspace.root)}`);
      await cp(workspace.root, library, { recursive: true, verbatimSymlinks: true });
      git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
      await rm(library, { recursive: true });
      git('commit', '--quiet', '--message=Module');
      // Stronger than a default in the configuration.
      git('config', '-f', '.gitmodules', 'submodule.lib.ignore', 'none');
      git('-C', 'lib', 'config', 'filter.x.clean', trap);
      await write('lib/.gitattributes', '* filter=x\n');
      await write('lib/notes.txt', TOUCHED);
    },
    plain: ['status'],
  },
];

describe('safety S3: a look at a repository starts none of its programs', () => {
  test.each(attacks)('$name', async ({ prepare, plain, folder }) => {
    await using one = await jail();
    await prepare(one);
    one.plain(plain, folder);
    expect(await one.sprung()).toBe(true);
    await lookAtAll(one, folder);
    expect(await one.sprung()).toBe(false);
  });

  test('a program named git that the project puts on the PATH', async () => {
    await using one = await jail();
    const bin = path.join(one.workspace.root, 'node_modules', '.bin');
    await mkdir(bin, { recursive: true });
    await cp(one.trap, path.join(bin, 'git'));
    const before = process.env['PATH'] ?? '';
    process.env['PATH'] = `${bin}:${before}`;
    try {
      one.plain(['status']);
      expect(await one.sprung()).toBe(true);
      await lookAtAll(one);
      expect(await one.sprung()).toBe(false);
    } finally {
      process.env['PATH'] = before;
    }
  });

  test('an embedded bare repository is refused and named', async () => {
    await using one = await jail();
    one.git('clone', '--quiet', '--bare', '.', 'docs/engine');
    const { root } = one.workspace;
    expect(await status.run({ path: 'docs/engine' }, one.workspace.run())).toEqual({
      type: 'error',
      code: 'git-failed',
      message: `${root}/docs/engine is a bare git repository among the project's files. Rondo doesn't use it, because its configuration can start programs. Move it out of the project or delete it.`,
    });
  });

  test('a .git file or link that leads to somebody else’s repository is refused', async () => {
    await using one = await jail();
    await using other = await jail();
    const { root } = one.workspace;
    const theirs = path.join(other.workspace.root, '.git');
    await rename(path.join(root, '.git'), path.join(root, 'away'));
    await writeFile(path.join(root, '.git'), `gitdir: ${theirs}\n`);
    expect(one.git('log', '--format=%s').trim()).toBe('First');
    expect(await log.run({}, one.workspace.run())).toMatchObject({ type: 'error', code: 'git-failed' });
    await rm(path.join(root, '.git'));
    await symlink(theirs, path.join(root, '.git'));
    expect(one.git('log', '--format=%s').trim()).toBe('First');
    expect(await log.run({}, one.workspace.run())).toMatchObject({ type: 'error', code: 'git-failed' });
  });

  test('core.worktree does not make files outside visible', async () => {
    await using one = await jail();
    await using other = await jail();
    one.git('config', 'core.worktree', other.workspace.root);
    await other.write('private.txt', 'x');
    expect(one.git('status', '--porcelain')).toContain('private.txt');
    expect(await status.run({}, one.workspace.run())).not.toMatchObject({
      output: expect.stringContaining('private.txt'),
    });
  });
});

describe('safety S3: commands on the repository itself', () => {
  const writes = (one: Jail, args: readonly string[]) =>
    runGit({ cwd: one.workspace.root, dir: 'repository', args, input: ASKED, timeoutMs: 20_000 });

  test.each([
    ['core.hooksPath', ['commit', '--allow-empty', '--quiet', '--message=x']],
    ['core.fsmonitor', ['add', 'notes.txt']],
    ['gpg.program', ['commit', '--allow-empty', '--quiet', '--message=x']],
    ['credential.helper', ['credential', 'fill']],
    ['core.sshCommand', ['fetch', 'ssh://127.0.0.1/x']],
    ['core.askPass', ['credential', 'fill']],
    ['remote.origin.uploadpack', ['fetch', 'origin']],
    ['core.editor', ['commit', '--allow-empty', '--quiet']],
    ['merge.x.driver', ['merge', '--quiet', '--no-edit', 'other']],
  ] as const)('%s', async (key, args) => {
    await using one = await jail();
    const { git, trap, workspace } = one;
    if (key === 'core.hooksPath') {
      await one.write('hooks/pre-commit', `#!/bin/sh\n${trap} </dev/null\n`);
      await chmod(path.join(workspace.root, 'hooks/pre-commit'), 0o755);
      git('config', key, 'hooks');
    } else if (key === 'merge.x.driver') {
      await one.write('.gitattributes', '* merge=x\n');
      git('checkout', '--quiet', '-b', 'other');
      await one.write('notes.txt', 'theirs\n');
      git('commit', '--quiet', '--all', '--message=Theirs');
      git('checkout', '--quiet', 'main');
      await one.write('notes.txt', 'ours\n');
      git('commit', '--quiet', '--all', '--message=Ours');
      git('config', key, trap);
    } else git('config', key, trap);
    if (key === 'gpg.program') git('config', 'commit.gpgSign', 'true');
    if (key === 'remote.origin.uploadpack') git('config', 'remote.origin.url', workspace.root);
    await one.write('notes.txt', key === 'merge.x.driver' ? 'ours\n' : 'changed\n');
    one.plain(args);
    expect(await one.sprung()).toBe(true);
    await writes(one, args);
    expect(await one.sprung()).toBe(false);
  });

  test('a filter that only the repository defines stops the command, because committing without it corrupts', async () => {
    await using one = await jail();
    one.git('config', 'filter.x.clean', one.trap);
    await one.write('.gitattributes', '* filter=x\n');
    await one.write('notes.txt', 'changed\n');
    one.plain(['add', 'notes.txt']);
    expect(await one.sprung()).toBe(true);
    await one.write('notes.txt', 'changed again\n');
    expect(await writes(one, ['add', 'notes.txt'])).toMatchObject({
      type: 'failed',
      message: expect.stringContaining(`(filter x: ${one.trap})`),
    });
    expect(await one.sprung()).toBe(false);
    expect((await repositoryPrograms(one.workspace.root)).filters).toEqual([{ name: 'x', command: one.trap }]);
  });
});
