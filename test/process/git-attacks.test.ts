/** Safety S3: repositories that start programs, each shown to work on plain git first. */
import { chmod, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { repositoryPrograms } from '../../src/git/repository-programs.ts';
import { runGit } from '../../src/git/run-git.ts';
import { createGitDiffTool } from '../../src/tools/git/git-diff-tool.ts';
import { createGitLogTool } from '../../src/tools/git/git-log-tool.ts';
import { createGitStatusTool } from '../../src/tools/git/git-status-tool.ts';
import { uncommittedFiles } from '../../src/worktrees/work-state.ts';
import { ASKED, type GitJail, gitJail as jail, lookingAttacks as attacks } from '../attacks/git-jail.ts';

const status = createGitStatusTool();
const diff = createGitDiffTool();
const log = createGitLogTool();

async function lookAtAll({ workspace }: GitJail, folder?: string): Promise<void> {
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
  const writes = (one: GitJail, args: readonly string[]) =>
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
