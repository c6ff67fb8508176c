import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { createBubblewrap } from '../../src/security/sandbox/bubblewrap.ts';
import { createToolWorkspace, type ToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createGitCommitTool } from '../../src/tools/git/git-commit-tool.ts';
import { createGitDiffTool } from '../../src/tools/git/git-diff-tool.ts';
import { createGitLogTool } from '../../src/tools/git/git-log-tool.ts';
import { createGitStatusTool } from '../../src/tools/git/git-status-tool.ts';
import { createRunTestsTool } from '../../src/tools/tests/run-tests-tool.ts';
import { bubblewrap, skipped } from '../fixtures/bubblewrap.ts';

async function repository(): Promise<ToolWorkspace> {
  const workspace = await createToolWorkspace();
  git(workspace, 'init', '--quiet', '--initial-branch=main');
  git(workspace, 'config', 'user.name', 'Test');
  git(workspace, 'config', 'user.email', 'test@example.org');
  git(workspace, 'add', 'notes.txt');
  git(workspace, 'commit', '--quiet', '--message=First');
  return workspace;
}

function git({ root }: ToolWorkspace, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' });
}

describe('git tools', () => {
  test('C33: status, diff and log', async () => {
    await using workspace = await repository();
    await writeFile(path.join(workspace.root, 'notes.txt'), 'changed\nsecond line\n');
    expect(await createGitStatusTool().run({}, workspace.run())).toEqual({
      type: 'success',
      output: '## main\n M notes.txt\n?? out\n?? src/main.ts',
      data: { branch: 'main', changes: 3 },
    });
    expect(await createGitDiffTool().run({}, workspace.run())).toMatchObject({
      output: expect.stringContaining('-first line\n+changed'),
    });
    expect(await createGitDiffTool().run({ staged: true }, workspace.run())).toMatchObject({
      output: '[No difference.]',
    });
    expect(await createGitLogTool().run({}, workspace.run())).toMatchObject({
      output: expect.stringMatching(/^[0-9a-f]+ \S+ Test: First$/),
    });
  });

  test('C33: reports a missing repository', async () => {
    await using workspace = await createToolWorkspace();
    expect(await createGitStatusTool().run({}, workspace.run())).toMatchObject({
      type: 'error',
      code: 'not-a-repository',
    });
  });

  test('C33: commits the given paths, and only those', async () => {
    await using workspace = await repository();
    expect(await createGitCommitTool().run({ message: 'Nothing' }, workspace.run())).toMatchObject({
      type: 'error',
      code: 'nothing-staged',
    });
    expect(
      await createGitCommitTool().run({ message: '-m "odd" $(x)', paths: ['src'] }, workspace.run()),
    ).toMatchObject({ type: 'success' });
    expect(git(workspace, 'log', '-1', '--format=%s').trim()).toBe('-m "odd" $(x)');
    expect(git(workspace, 'status', '--porcelain').trim()).toBe('?? out');
  });

  test('C33: a hook that refuses is heard, never skipped', async () => {
    await using workspace = await repository();
    const hook = path.join(workspace.root, '.git', 'hooks', 'pre-commit');
    await mkdir(path.dirname(hook), { recursive: true });
    await writeFile(hook, '#!/bin/sh\necho "not today" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    expect(await createGitCommitTool().run({ message: 'No', paths: ['src'] }, workspace.run())).toMatchObject({
      type: 'error',
      code: 'git-failed',
      message: 'not today',
    });
  });

  test('safety S3: without a sandbox the question names hooks and filters of the repository', async () => {
    await using workspace = await repository();
    const hook = path.join(workspace.root, '.git', 'hooks', 'pre-commit');
    await writeFile(hook, '#!/bin/sh\nexit 0\n');
    await chmod(hook, 0o755);
    git(workspace, 'config', 'filter.x.clean', './clean.sh');
    const digest = createHash('sha256').update('#!/bin/sh\nexit 0\n').digest('hex');
    const { dangers } = await createGitCommitTool().describe({ message: 'No' }, workspace.context());
    expect(dangers).toEqual([
      {
        rule: 'git-hooks',
        severity: 'ask',
        reason: `runs the hook .git/hooks/pre-commit (sha256 ${digest.slice(0, 16)}) outside a sandbox`,
      },
      {
        rule: 'git-filters',
        severity: 'ask',
        reason: "runs the repository's own filter x (./clean.sh) outside a sandbox",
      },
    ]);
  });

  test.skipIf(bubblewrap === undefined)(
    `safety S3: in the sandbox hooks and filters run confined, unasked, and the commit is made${skipped}`,
    async () => {
      await using workspace = await repository();
      const { root } = workspace;
      const escaped = path.join(root, '..', 'escaped');
      const script = `#!/bin/sh\necho ran > hook-ran; echo out > '${escaped}'; git config core.fsmonitor ./evil; cat 2>/dev/null; exit 0\n`;
      await writeFile(path.join(root, '.git', 'hooks', 'pre-commit'), script, { mode: 0o755 });
      const port = createBubblewrap({ program: bubblewrap ?? '' });
      const tool = createGitCommitTool({ sandbox: { port, level: 'auto' } });
      expect(await tool.describe({ message: 'Yes' }, workspace.context())).toMatchObject({ confined: true });
      const before = await readFile(path.join(root, '.git', 'config'), 'utf8');
      expect(await tool.run({ message: 'Yes', paths: ['src'] }, workspace.run())).toMatchObject({
        type: 'success',
        output: expect.stringContaining('decides which programs run, so the change was reverted'),
      });
      expect(git(workspace, 'log', '-1', '--format=%s').trim()).toBe('Yes');
      expect(await readFile(path.join(root, 'hook-ran'), 'utf8')).toBe('ran\n');
      expect(await readFile(path.join(root, '.git', 'config'), 'utf8')).toBe(before);
      await expect(readFile(escaped)).rejects.toThrow('ENOENT');
    },
  );

  test('C47: a look at a repository starts no program of its configuration', async () => {
    await using workspace = await repository();
    const trap = path.join(workspace.root, 'trap.sh');
    await writeFile(trap, '#!/bin/sh\necho ran >> "$(dirname "$0")/trapped"\n');
    await chmod(trap, 0o755);
    for (const name of ['core.fsmonitor', 'diff.external', 'core.pager', 'core.editor'])
      git(workspace, 'config', name, trap);
    await writeFile(path.join(workspace.root, 'notes.txt'), 'changed\n');
    await createGitStatusTool().run({}, workspace.run());
    await createGitDiffTool().run({}, workspace.run());
    await createGitLogTool().run({ full: true }, workspace.run());
    await expect(readFile(path.join(workspace.root, 'trapped'))).rejects.toThrow('ENOENT');
  });
});

describe('run_tests', () => {
  test("C33: runs the project's own script and summarizes the failures", async () => {
    await using workspace = await createToolWorkspace();
    const script =
      'echo "✗ adds numbers"; echo "AssertionError: 1 is not 2"; echo "Tests: 1 failed, 3 passed"; exit 1';
    await writeFile(path.join(workspace.root, 'package.json'), JSON.stringify({ scripts: { test: script } }));
    const tool = createRunTestsTool();
    expect(await tool.describe({}, workspace.context())).toMatchObject({
      segments: [{ text: 'npm test' }],
      repeat: 'safe',
      order: 'exclusive',
    });
    expect(await tool.run({}, workspace.run())).toMatchObject({
      type: 'success',
      output: expect.stringMatching(
        /^npm test: failed \(exit code 1\)\nTests: 1 failed, 3 passed\n\nFailures:\n✗ adds numbers\nAssertionError/,
      ),
      data: { framework: 'npm', passed: false, exitCode: 1, failures: 2 },
    });
  });

  test('C33: says what it looked for where there is nothing to run', async () => {
    await using workspace = await createToolWorkspace();
    expect(await createRunTestsTool().describe({}, workspace.context())).toMatchObject({
      problem: { code: 'no-tests' },
    });
    expect(await createRunTestsTool().run({}, workspace.run())).toMatchObject({ type: 'error', code: 'no-tests' });
  });
});
