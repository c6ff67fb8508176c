/** Safety S3 and S9: read-only git commands through the shell tool. Each attack first succeeds on plain git. */
import { execFileSync } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { CallId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { judge } from '../../src/kernel/policy/permission.ts';
import { parseRule } from '../../src/kernel/rule.ts';
import { createGitDiffTool } from '../../src/tools/git/git-diff-tool.ts';
import { createShellTool } from '../../src/tools/shell/shell-tool.ts';
import { type GitJail, gitJail, lookingAttacks } from '../attacks/git-jail.ts';

const shell = createShellTool();

/** The gate's verdict under the rules and, if allowed, the judged run. */
async function attempt(one: GitJail, command: string, rules: readonly string[] = []) {
  const { workspace } = one;
  const facts = await shell.describe({ command }, workspace.run());
  const policy = { rules: rules.flatMap((text) => parseRule(text, 'allow', 'user') ?? []), grants: [] };
  const call = { id: 'c1' as CallId, tool: 'shell', args: '', facts };
  const { verdict } = judge(call, { ...policy, tools: 'all' }, modes.interactive);
  if (verdict !== 'allow') return { verdict };
  return { verdict, result: await shell.run({ command }, { ...workspace.run(), facts }) };
}

const WIDE = ['shell(git status*)', 'shell(git diff*)', 'shell(git log*)', 'shell(cd *)', 'shell(out.txt)'];

describe('safety S3: a look through the shell starts none of the repository’s programs', () => {
  test.each(lookingAttacks)('$name', async ({ prepare, plain, folder }) => {
    await using one = await gitJail();
    await prepare(one);
    const line = `${folder === undefined ? '' : `cd ${folder} && `}git ${plain.join(' ')}`;
    execFileSync('bash', ['-c', `${line} || true`], { cwd: one.workspace.root, stdio: 'ignore' });
    expect(await one.sprung()).toBe(true);
    // Rondo runs it itself, or asks.
    await attempt(one, line, WIDE);
    expect(await one.sprung()).toBe(false);
    await attempt(one, `${line} | head -5; ${line} --stat`, WIDE);
    expect(await one.sprung()).toBe(false);
    // Only a shell can run these.
    for (const shelled of [`${line} > out.txt`, `{ ${line}; }`, `for f in a; do ${line}; done`]) {
      await attempt(one, shelled, WIDE);
      expect([shelled, await one.sprung()]).toEqual([shelled, false]);
    }
  });

  test('[S3] a look leaves the index as it is, also where git would refresh it', async () => {
    await using one = await gitJail();
    const index = path.join(one.workspace.root, '.git/index');
    const stamp = async () => (await stat(index, { bigint: true })).mtimeNs;
    const touch = () => execFileSync('touch', ['-d', '2001-01-01', 'notes.txt'], { cwd: one.workspace.root });
    const looked: (readonly [string, boolean])[] = [];
    for (const line of ['git diff', 'git diff HEAD | head -5', 'git status', 'git diff --stat']) {
      execFileSync('touch', ['notes.txt'], { cwd: one.workspace.root });
      one.plain(['status']);
      touch();
      const before = await stamp();
      await attempt(one, line);
      looked.push([line, (await stamp()) === before]);
    }
    touch();
    const before = await stamp();
    one.plain(['diff']);
    expect([looked.every(([, isSame]) => isSame) || looked, (await stamp()) === before]).toEqual([true, false]);
  });

  test('a hook that git runs when it refreshes the index', async () => {
    await using one = await gitJail();
    await one.write('.git/hooks/post-index-change', `#!/bin/sh\n${one.trap}\n`);
    execFileSync('chmod', ['+x', path.join(one.workspace.root, '.git/hooks/post-index-change')]);
    execFileSync('touch', ['notes.txt'], { cwd: one.workspace.root });
    one.plain(['status']);
    expect(await one.sprung()).toBe(true);
    for (const line of ['git status', 'git diff', '{ git status; }', '{ git diff; }']) {
      execFileSync('touch', ['notes.txt'], { cwd: one.workspace.root });
      await attempt(one, line, WIDE);
      expect([line, await one.sprung()]).toEqual([line, false]);
    }
  });
});

describe('safety S9: looks of git run unasked, as a shell would run them', () => {
  test.each([
    'git status',
    'git status --short --branch',
    'git status && git diff | head -20',
    'git --no-pager diff',
    'git diff --stat',
    'git diff HEAD~1 -- notes.txt',
    'git diff HEAD~1..HEAD',
    'git diff notes.txt',
    'git log --oneline -5',
    'git log -2 --format="%an %s"',
    'git log -p -1',
    'git log --oneline | wc -l',
    'git show HEAD',
    'git show --stat HEAD',
    'git show HEAD:notes.txt',
    'git blame HEAD notes.txt',
    'git blame -L 1,1 HEAD -- notes.txt',
    'git grep -n line',
    "git grep -n line -- '*.txt'",
    'git ls-files',
    "git ls-files '*.txt'",
    'git ls-tree -r --name-only HEAD',
    'git rev-parse --abbrev-ref HEAD',
    'git rev-parse --show-toplevel',
    'git branch',
    'git branch -a -v',
    'git branch --show-current',
    'git tag --list',
    'git merge-base HEAD HEAD~1',
    'git rev-list --count HEAD',
    'git stash list',
    'git reflog -3',
    'cd src && git status --short',
  ])('%s', async (command) => {
    await using one = await gitJail();
    await one.write('notes.txt', 'first line\nchanged line\n');
    one.git('commit', '--quiet', '--all', '--message=Second');
    await one.write('notes.txt', 'first line\nchanged again\n');
    await one.write('src/new.txt', 'new\n');
    const { verdict, result } = await attempt(one, command);
    expect(verdict).toBe('allow');
    expect(result).toEqual(await shell.run({ command }, one.workspace.run()));
  });

  test.each([
    'git diff --output=x',
    'git diff --no-index notes.txt /etc/passwd',
    'git diff --ext-diff',
    'git log --show-signature',
    'git log --format=%G?',
    'git grep -O notes',
    'git grep --no-index x /etc',
    'git branch new',
    'git branch -v new',
    'git branch -D main',
    'git tag v1',
    'git stash',
    'git stash drop',
    'git reflog expire --all',
    'git status -v',
    'git -C src status',
    'git -c core.pager=x log',
    'git cat-file -p HEAD',
    'git show HEAD:.env',
    'git diff .env',
    'git diff ../x',
    'git blame .env',
    'git grep KEY .env',
    'git show :0:.env',
    'git diff --ignore-submodules=none',
    'git log -p --follow notes.txt',
    'git log -p --full-diff notes.txt',
    'git rev-parse --git-dir',
    'git describe --dirty',
  ])('%s is asked about', async (command) => {
    await using one = await gitJail();
    await one.write('.env', 'KEY=1\n');
    await one.write('src/x', '');
    expect((await attempt(one, command)).verdict).toBe('ask');
  });

  test('[S14] a mixed line is asked about by its most dangerous part', async () => {
    await using one = await gitJail();
    const facts = await shell.describe({ command: 'git status && rm notes.txt' }, one.workspace.run());
    const policy = { rules: [], grants: [], tools: 'all' } as const;
    const call = { id: 'c1' as CallId, tool: 'shell', args: '', facts };
    expect(judge(call, policy, modes.interactive)).toMatchObject({
      verdict: 'ask',
      unit: 'rm notes.txt',
      effect: 'delete',
    });
  });
});

describe('safety S5: files with secrets are left out of looks', () => {
  test('a secret that is staged, committed or named by its id stays hidden', async () => {
    await using one = await gitJail();
    await one.write('.env', 'KEY=canary\n');
    await one.write('deploy/prod.key', 'canary\n');
    one.git('add', '--all');
    expect(one.git('diff', '--cached')).toContain('canary');
    const [id = ''] = one.git('rev-parse', ':.env').trim().split('\n');
    const lines = ['git diff --cached', 'git diff --cached HEAD', 'git grep --cached canary', `git show ${id}`];
    const later = [
      'git show HEAD',
      'git log -p',
      'git log -S canary',
      'git diff HEAD~1',
      'git diff HEAD~1..HEAD',
      'git grep canary HEAD',
      `git diff ${id} HEAD:notes.txt`,
      `git grep canary ${id}`,
    ];
    const shown: string[] = [];
    const show = async (command: string) => {
      const { result } = await attempt(one, command);
      if (JSON.stringify(result ?? '').includes('KEY=canary')) shown.push(command);
    };
    for (const line of lines) await show(line);
    one.git('commit', '--quiet', '--message=Leak');
    for (const line of [...lines, ...later]) await show(line);
    expect(shown).toEqual([]);
    // It hides content, not the fact that something changed.
    expect((await attempt(one, 'git show --stat')).result).toMatchObject({
      output: expect.stringContaining('.env'),
    });
    expect((await attempt(one, 'git log -p --format=%s')).result).toMatchObject({
      output: expect.stringContaining('Leak'),
    });
  });

  test('git_diff leaves it out, unless a person was asked about the file by its name', async () => {
    await using one = await gitJail();
    const diff = createGitDiffTool();
    await one.write('.env', 'KEY=canary\n');
    one.git('add', '--all');
    const id = one.git('rev-parse', ':.env').trim();
    const shows = async (args: object) =>
      JSON.stringify(await diff.run(args, one.workspace.run())).includes('KEY=');
    expect([
      await shows({ staged: true }),
      await shows({ staged: true, paths: ['.'] }),
      await shows({ from: id, to: one.git('rev-parse', ':notes.txt').trim() }),
      await shows({ staged: true, paths: ['.env'] }),
    ]).toEqual([false, false, false, true]);
    expect(await diff.describe({ staged: true, paths: ['.env'] }, one.workspace.run())).toMatchObject({
      paths: [{ path: '.env', sensitive: true }],
    });
  });

  test('staging one is asked about, whatever a rule allows; one that is ignored is not', async () => {
    await using one = await gitJail();
    await one.write('sub/x.txt', 'x');
    const commands = [
      'git add -A',
      'git add .',
      'git add *',
      'git commit -am x',
      'git add sub',
      'git add notes.txt',
    ];
    const verdicts = async () => {
      const found: string[] = [];
      for (const command of commands) {
        const facts = await shell.describe({ command }, one.workspace.run());
        const rules = parseRule('shell(git *)', 'allow', 'user');
        const policy = { rules: rules === undefined ? [] : [rules], grants: [], tools: 'all' } as const;
        found.push(
          judge({ id: 'c1' as CallId, tool: 'shell', args: '', facts }, policy, modes.interactive).verdict,
        );
      }
      return found;
    };
    const none = ['allow', 'allow', 'allow', 'allow', 'allow', 'allow'];
    expect(await verdicts()).toEqual(none);
    await one.write('.env', 'KEY=canary\n');
    expect(await verdicts()).toEqual(['ask', 'ask', 'ask', 'allow', 'allow', 'allow']);
    await one.write('.gitignore', '.env\n');
    expect(await verdicts()).toEqual(none);
    one.git('add', '--force', '.env');
    one.git('commit', '--quiet', '--message=Leak');
    await one.write('.env', 'KEY=other\n');
    expect(await verdicts()).toEqual(['ask', 'ask', 'ask', 'ask', 'allow', 'allow']);
  });

  test('a folder outside the session or without a repository needs approval', async () => {
    await using one = await gitJail();
    await one.write('sub/x.txt', 'x');
    const run = { ...one.workspace.run(), cwd: path.join(one.workspace.root, 'sub') };
    const facts = await shell.describe({ command: 'git diff' }, { ...run, roots: [run.cwd] });
    expect(facts.segments).toEqual([{ text: 'git diff', effect: 'look' }]);
    await writeFile(path.join(one.workspace.root, 'x'), '');
  });
});
