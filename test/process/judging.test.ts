// Judging of commands, with the whole corpus of attacks.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { CallId, EffectId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { judge } from '../../src/kernel/policy/permission.ts';
import { parseRule, ruleToText } from '../../src/kernel/rule.ts';
import type { ToolRun } from '../../src/ports/tool.ts';
import { createNoSandbox } from '../../src/security/sandbox/sandbox.ts';
import { createDefaultTools } from '../../src/tools/default-tools.ts';
import { createMemoryNotes } from '../../src/tools/talk/notes-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { createShellTool } from '../../src/tools/shell/shell-tool.ts';
import { attackCommands } from '../attacks/attack-commands.ts';
import { everydayCommands } from '../attacks/everyday-commands.ts';
import { judgedWorkspace } from '../attacks/judged-workspace.ts';

describe('the corpus of attacks', () => {
  test('[S6] [P8] it is large enough, and every command stands in it once', () => {
    expect([attackCommands.length >= 500, new Set(attackCommands).size === attackCommands.length]).toEqual([
      true,
      true,
    ]);
    expect(everydayCommands.length).toBe(78);
  });

  test('[S4] [S5] [S6] [P8] after a day of approvals no attack runs unasked, and what was approved does', async () => {
    await using workspace = await judgedWorkspace();
    const grants = await workspace.approve(everydayCommands);
    const allowed: string[] = [];
    for (const command of attackCommands) {
      if ((await workspace.judged(command, { grants })).verdict === 'allow') allowed.push(command);
    }
    expect(allowed).toEqual([]);
    const asked: string[] = [];
    for (const command of everydayCommands) {
      if ((await workspace.judged(command, { grants })).verdict !== 'allow') asked.push(command);
    }
    expect(asked).toEqual([]);
  });

  test('[P8] no attack runs unasked under the default rules', async () => {
    await using workspace = await judgedWorkspace();
    const allowed: string[] = [];
    for (const command of attackCommands) {
      if ((await workspace.judged(command)).verdict === 'allow') allowed.push(command);
    }
    expect(allowed).toEqual([]);
  });
});

describe('attacks that do succeed where nothing judges them', () => {
  // The rule beside it allowed each, and each leaves the marker when a shell runs it.
  test.for([
    ['shell(git status*)', 'GIT_TRACE=$PWD/marker git status'],
    ['shell(git status*)', 'HOME=./h git status'],
    ['shell(git status*)', 'printf -v PATH ./h:$PATH; git status'],
    ['shell(git status*)', 'for PATH in ./h:$PATH; do git status; done'],
    [
      'shell(git status*)',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=./touch.sh git status',
    ],
    ['shell(git diff*)', 'git diff --no-index --output=marker README.md names.txt'],
    ['shell(git fetch*)', "git fetch --upload-pa='touch marker;' ."],
    ['shell(git grep*)', "git grep --no-index -O'touch marker; true' a names.txt"],
    ['shell(sort *)', 'sort -o marker names.txt'],
    ['shell(sort *)', 'sort --outp=marker names.txt'],
    ['shell(find *)', 'find . -name names.txt -fprintf marker %p'],
    ['shell(uniq *)', 'uniq names.txt marker'],
    ['shell(npm test*)', 'npm_config_script_shell=./touch.sh npm test'],
    ['shell(compgen*)', "compgen -W '$(touch marker)'"],
    ['shell(read*)', 'read PATH <<< ./h:$PATH; git status'],
  ] as const)('[S4] [S5] [P8] under %s: %s', async ([rule, command]) => {
    await using workspace = await judgedWorkspace();
    const { root } = workspace;
    const touch = '#!/bin/sh\ntouch "$MARKER"\n';
    await mkdir(path.join(root, 'h'));
    for (const name of ['h/git', 'touch.sh']) await writeFile(path.join(root, name), touch, { mode: 0o755 });
    await writeFile(path.join(root, 'h/.gitconfig'), `[core]\n\tfsmonitor = ${root}/touch.sh\n`);
    const marker = path.join(root, 'marker');
    const environment = { PATH: process.env['PATH'], HOME: root, MARKER: marker };
    spawnSync('bash', ['--norc', '-c', command], { cwd: root, env: environment, timeout: 20_000 });
    expect(existsSync(marker)).toBe(true);
    expect((await workspace.judged(command, { rules: [rule, 'shell(git status*)'] })).verdict).not.toBe('allow');
  });

  test('[S5] what could be the owner token, an environment or a key is denied, whatever the rules allow', async () => {
    await using workspace = await judgedWorkspace();
    const denied = [
      'cat ~/.rondo/token',
      'cat $HOME/.rondo/token',
      'cat ~/.rond?/token',
      'cp -r ~/.rondo x',
      'head /proc/self/environ',
      'cat /pro?/$PPID/environ',
      'cat /p*/*/env*',
      'cat ~/.ssh/id_rsa',
      'sort -o ~/.ssh/authorized_keys names.txt',
    ];
    const verdicts = await Promise.all(
      denied.map(async (command) => [command, (await workspace.judged(command, { rules: ['shell'] })).verdict]),
    );
    expect(verdicts).toEqual(denied.map((command) => [command, 'deny']));
  });

  test('[S5] a wildcard that matches a secret is asked about, and so is a search in it', async () => {
    await using workspace = await judgedWorkspace();
    const rules = ['shell(cat *)', 'shell(grep *)', 'shell(ls*)'];
    const verdict = async (command: string) => (await workspace.judged(command, { rules })).verdict;
    expect({
      wildcard: await verdict('cat .en*'),
      one: await verdict('cat .en?'),
      search: await verdict("grep '' .env"),
      home: await verdict('ls ~'),
      plain: await verdict('cat README.md'),
      sought: await verdict('grep .env README.md'),
    }).toEqual({ wildcard: 'ask', one: 'ask', search: 'ask', home: 'ask', plain: 'allow', sought: 'allow' });
  });
});

describe('grants', () => {
  test('[S6] npm test grants the checks of the project while its scripts are the same, and nothing else', async () => {
    await using workspace = await judgedWorkspace();
    const grants = await workspace.approve(['npm test', 'make test', 'npm run lint', 'npx vitest run']);
    expect(grants.map(ruleToText)).toEqual([
      expect.stringMatching(/^checks \[build [0-9a-f]{12}\]$/),
      'shell(npx vitest *) [look]',
      'shell(vitest *) [build]',
    ]);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect([
      await verdict('npm test -- src/a.test.ts'),
      await verdict('make deploy'),
      await verdict('node -e 1'),
    ]).toEqual(['allow', 'ask', 'ask']);
    await writeFile(path.join(workspace.root, 'package.json'), '{"scripts":{"test":"./evil.sh"}}');
    expect(await verdict('npm test')).toBe('ask');
    const installing = await workspace.approve(['npm install', 'pip install -r requirements.txt']);
    await writeFile(path.join(workspace.root, 'package.json'), '{"dependencies":{"evil":"1"}}');
    await writeFile(path.join(workspace.root, 'requirements.txt'), 'evil\n');
    const after = ['npm install', 'pip install -r requirements.txt'].map(
      async (command) => (await workspace.judged(command, { grants: installing })).verdict,
    );
    expect(await Promise.all(after)).toEqual(['ask', 'ask']);
  });

  test('[S6] what only reads goes along with what was granted, and not by itself through a shell', async () => {
    await using workspace = await judgedWorkspace();
    const grants = await workspace.approve(['npm test 2>&1 | tail -20']);
    expect(grants.map(({ tool }) => tool)).toEqual(['checks']);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect({
      again: await verdict('npm test -- src 2>&1 | tail -50'),
      more: await verdict('npm test | grep -c fail'),
      secret: await verdict('npm test; cat .env'),
      writes: await verdict('npm test | sort -o x'),
      wild: await verdict('npm test; cat *'),
      alone: await verdict('for f in a; do cat README.md; done'),
    }).toEqual({ again: 'allow', more: 'allow', secret: 'ask', writes: 'ask', wild: 'ask', alone: 'ask' });
  });

  test('[S6] a grant for a command covers no file that is called like it, and one for a file covers that file', async () => {
    await using workspace = await judgedWorkspace();
    const verdict = async (command: string, approved: string) =>
      (await workspace.judged(command, { grants: await workspace.approve([approved]) })).verdict;
    expect({
      made: await verdict('>make', 'make'),
      written: await verdict('echo x > make', 'make'),
      again: await verdict('echo x > notes.txt', 'echo x > notes.txt'),
    }).toEqual({ made: 'ask', written: 'ask', again: 'allow' });
  });

  test('[S6] a commit whose message is a here-document is granted like any other', async () => {
    await using workspace = await judgedWorkspace();
    const commit = (message: string, rest = '') => `git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"${rest}`;
    const grants = await workspace.approve([commit('Fix it\n\nBecause.')]);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect(grants.map(ruleToText)).toEqual(['commits [repository]']);
    expect([
      await verdict(commit('Another')),
      await verdict(commit('Another', ' --no-verify')),
      await verdict(commit('Another', '; ./evil.sh')),
      await verdict('git commit -m "$(./evil.sh)"'),
      await verdict('cat() { ./evil.sh; }; ' + commit('Another')),
    ]).toEqual(['allow', 'ask', 'ask', 'ask', 'ask']);
  });

  test.for([
    ['node --test', 'node --test test/a.test.js', 'node --test --import ./evil.js'],
    ['python3 -m pytest -q', 'python3 -m pytest tests -k name', 'python3 -m pytest -p evil'],
    ['git switch main', 'git switch -c feature', 'git switch --discard-changes main'],
    ['git checkout -b a', 'git checkout -b b', 'git checkout src/main.ts'],
    ['git stash', 'git stash pop', 'git stash drop'],
    ['git merge main', 'git merge --no-ff feature', 'git merge -s evil main'],
    ['npm test', 'npm test; echo "exit $?"', 'npm test; echo "$(./evil.sh)"'],
    ['npm test', 'npm test; exit $?', 'npm test; cat $?'],
    ['cd src && make test', 'cd src && make test | tail -3; exit ${PIPESTATUS[0]}', 'cd docs && make deploy'],
  ])('[S6] %s covers %s and not %s', async ([approved = '', covered = '', not = '']) => {
    await using workspace = await judgedWorkspace();
    const grants = await workspace.approve([approved]);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect([await verdict(covered), await verdict(not)]).toEqual(['allow', 'ask']);
  });

  test('[S6] the tool that runs tests goes by what was granted for the command, as long as the script is the same', async () => {
    await using workspace = await judgedWorkspace();
    const sandbox = { port: createNoSandbox('no', 'get one'), level: 'auto' } as const;
    const tools = createDefaultTools({
      ledger: createReadLedger(),
      notes: createMemoryNotes(),
      shell: { sandbox },
    });
    const grants = await workspace.approve(['npm test']);
    const verdict = async () => {
      const facts = await tools
        .find(({ name }) => name === 'run_tests')
        ?.describe(
          {},
          { session: 'ses_1' as SessionId, agent: 'a', cwd: workspace.root, roots: [workspace.root] },
        );
      if (facts === undefined) throw new Error('no facts');
      const call = { id: 'c1' as CallId, tool: 'run_tests', args: '', facts };
      return judge(call, { rules: [], grants, tools: 'all' }, modes.interactive).verdict;
    };
    const before = await verdict();
    await writeFile(path.join(workspace.root, 'package.json'), '{"scripts":{"test":"./evil.sh"}}');
    expect([before, await verdict()]).toEqual(['allow', 'ask']);
  });

  test('[S6] a grant holds in the folder it was given for', async () => {
    await using workspace = await judgedWorkspace();
    const grants = await workspace.approve(['cd src && make deploy']);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect([
      await verdict('cd src && make deploy'),
      await verdict('make deploy'),
      await verdict('cd docs && make deploy'),
    ]).toEqual(['allow', 'ask', 'ask']);
  });

  test('[S6] [P11] what the first release granted is read: exact words as they were, wildcards for reading only', async () => {
    await using workspace = await judgedWorkspace();
    const grants = [
      'shell(node *)',
      'shell(find *)',
      'shell(git *)',
      'shell(npm test *)',
      'shell(rm -rf build)',
    ].flatMap((text) => parseRule(text, 'allow', 'session') ?? []);
    const verdict = async (command: string) => (await workspace.judged(command, { grants })).verdict;
    expect({
      exact: await verdict('rm -rf build'),
      reads: await verdict('git log --oneline'),
      runs: await verdict('node evil.js'),
      deletes: await verdict('find . -delete'),
      tests: await verdict('npm test'),
      changes: await verdict('git commit -m x'),
    }).toEqual({ exact: 'allow', reads: 'allow', runs: 'ask', deletes: 'ask', tests: 'ask', changes: 'ask' });
  });

  test('[S22] a push and a publication are asked about under every rule and grant, and a forced push is denied', async () => {
    await using workspace = await judgedWorkspace();
    const rules = ['shell', 'shell(git push*)', 'shell(npm publish*)'];
    execFileSync('git', ['remote', 'add', 'origin', 'https://user:token@example.org/x.git'], {
      cwd: workspace.root,
    });
    const judged = async (command: string) => {
      const { verdict, reason } = await workspace.judged(command, { rules });
      return [verdict, reason, (await workspace.call(command)).facts.grants];
    };
    expect([
      await judged('git push origin main'),
      await judged('npm publish'),
      await judged('pnpm --filter @a/b publish'),
      await judged('yarn workspace a npm publish'),
      await judged('git push --force'),
    ]).toEqual([
      ['ask', 'pushes main to origin (on main, origin = https://example.org/x.git)', []],
      ['ask', "publishes with npm publish: it becomes public and can't be taken back", []],
      ['ask', "publishes with pnpm --filter @a/b: it becomes public and can't be taken back", []],
      ['ask', "publishes with yarn workspace a: it becomes public and can't be taken back", []],
      ['deny', 'replaces history on the remote, which may destroy the work of others', []],
    ]);
  });
});

describe('commands that only read', () => {
  const shell = createShellTool();
  const context = (root: string): ToolRun => ({
    session: 'ses_judged' as SessionId,
    agent: 'test',
    cwd: root,
    roots: [root],
    effect: 'ses_judged.1' as EffectId,
    attempt: 1,
    epoch: 1,
    signal: new AbortController().signal,
    progress: () => undefined,
  });

  test.for([
    'ls -la src',
    'cat package.json README.md',
    'head -1 README.md && tail -n 1 names.txt',
    'cat names.txt | sort | uniq -c | wc -l',
    'cat *.md | head -5',
    'ls *.txt src/*.ts',
    'grep -n main src/main.ts',
    'grep -rn KEY src docs',
    'grep -rln main src --include=*.ts',
    'find . -name "*.ts" -type f',
    'sed -n 1,2p names.txt',
    'cd src && cat main.ts',
    'cat missing.txt 2>/dev/null || echo none',
    'cut -d" " -f1 README.md',
    'echo "$" \'a  b\'',
    'diff README.md names.txt',
    'wc -l names.txt; stat -c %s names.txt',
  ])('[S9] runs without a shell as a shell would run it: %s', async (command) => {
    await using workspace = await judgedWorkspace();
    const { facts } = await workspace.call(command);
    const isFree = facts.segments?.every(({ free }) => free === true);
    const run = context(workspace.root);
    const byShell = await shell.run({ command }, run);
    expect(isFree).toBe(true);
    expect(await shell.run({ command }, { ...run, facts })).toEqual(byShell);
  });

  test('[S9] a search leaves secrets out, and a link out of the folder is no longer read', async () => {
    await using workspace = await judgedWorkspace();
    const run = context(workspace.root);
    const command = 'grep -r KEY .';
    const { facts } = await workspace.call(command);
    expect(await shell.run({ command }, { ...run, facts })).toMatchObject({ output: '[Exit code 1]' });
    await symlink('/etc/hostname', path.join(workspace.root, 'link.txt'));
    expect((await workspace.judged('cat link.txt')).verdict).toBe('ask');
    expect((await workspace.judged('cat l*.txt')).verdict).toBe('ask');
  });

  test('[S9] [S2] what was judged to only read never reaches a shell, whatever became of it since', async () => {
    await using workspace = await judgedWorkspace();
    const run = context(workspace.root);
    const { facts } = await workspace.call('cat names.txt');
    await rm(path.join(workspace.root, 'names.txt'));
    await symlink('/etc/passwd', path.join(workspace.root, 'names.txt'));
    expect(await shell.run({ command: 'cat names.txt' }, { ...run, facts })).toMatchObject({
      type: 'error',
      code: 'changed',
    });
    expect(await shell.run({ command: 'touch pwned' }, { ...run, facts })).toMatchObject({
      type: 'error',
      code: 'changed',
    });
    expect(existsSync(path.join(workspace.root, 'pwned'))).toBe(false);
  });

  test('[S9] a program of the workspace is never taken for the one people know', async () => {
    await using workspace = await judgedWorkspace();
    const folder = path.join(workspace.root, 'bin');
    await mkdir(folder);
    await writeFile(path.join(folder, 'ls'), '#!/bin/sh\ntouch pwned\n', { mode: 0o755 });
    const before = process.env['PATH'];
    process.env['PATH'] = `${folder}:${before ?? ''}`;
    try {
      const { facts } = await workspace.call('ls');
      await shell.run({ command: 'ls' }, { ...context(workspace.root), facts });
    } finally {
      process.env['PATH'] = before;
    }
    expect(existsSync(path.join(workspace.root, 'pwned'))).toBe(false);
  });
});

describe('protected names', () => {
  const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });

  test.for([
    '.git/hooks/pre-commit',
    '.GIT/config',
    '.rondo/config.json',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.cargo/config.toml',
    '.mcp.json',
    'AGENTS.md',
    'packages/a/CLAUDE.md',
    '.github/workflows/ci.yml',
    'skills/deploy/SKILL.md',
  ])('[S7] [P8] no wildcard covers %s; a rule that names it does', async (file) => {
    await using workspace = await judgedWorkspace();
    const { root } = workspace;
    const write = tools.find(({ name }) => name === 'write');
    const facts = await write?.describe(
      { path: file, content: 'x' },
      { session: 'ses_1' as SessionId, agent: 'a', cwd: root, roots: [root] },
    );
    if (facts === undefined) throw new Error('no facts');
    const verdict = (...rules: readonly string[]) =>
      judge(
        { id: 'c1' as CallId, tool: 'write', args: '', facts },
        { rules: rules.flatMap((rule) => parseRule(rule, 'allow', 'user') ?? []), grants: [], tools: 'all' },
        modes.interactive,
      ).verdict;
    expect([verdict('write', 'write(**)', 'write(*/**)', '*'), verdict(`write(${file})`), facts.grants]).toEqual([
      'ask',
      'allow',
      [],
    ]);
    expect((await workspace.judged(`echo x > ${file}`, { rules: ['shell(echo *)', 'shell(**)'] })).verdict).toBe(
      'ask',
    );
    expect((await workspace.judged(`cp names.txt ${file}`, { rules: ['shell(cp *)', 'shell(**)'] })).verdict).toBe(
      'ask',
    );
  });

  test('[S7] [P8] a folder that core.hooksPath names is protected like .git/hooks', async () => {
    await using workspace = await judgedWorkspace();
    const { root } = workspace;
    const rules = ['shell(cp *)', 'shell(echo *)', 'shell(**)'];
    const verdicts = async () =>
      Promise.all(
        ['cp evil.sh .husky/pre-commit', 'echo x > .husky/pre-commit', 'cp evil.sh src/x.sh'].map(
          async (command) => (await workspace.judged(command, { rules })).verdict,
        ),
      );
    await mkdir(path.join(root, '.husky', '_'), { recursive: true });
    expect(await verdicts()).toEqual(['allow', 'allow', 'allow']);
    execFileSync('git', ['config', 'core.hooksPath', '.husky/_'], { cwd: root });
    expect(await verdicts()).toEqual(['ask', 'ask', 'allow']);
    execFileSync('git', ['config', '--unset', 'core.hooksPath'], { cwd: root });
    // An included setting counts too.
    await writeFile(path.join(root, 'shared.gitconfig'), '[core]\n\thooksPath = .husky\n');
    execFileSync('git', ['config', 'include.path', '../shared.gitconfig'], { cwd: root });
    expect(await verdicts()).toEqual(['ask', 'ask', 'allow']);
  });
});

test.for(['find . -delete', 'find . -type f -exec rm {} +'])(
  '[S8] %s asks in the sandbox too, because nothing knows what it deletes',
  async (command) => {
    await using workspace = await judgedWorkspace();
    const { dangers: _, ...facts } = (await workspace.call(command)).facts;
    const call = { id: 'c1' as CallId, tool: 'shell', args: '', facts: { ...facts, confined: true as const } };
    expect(judge(call, { rules: [], grants: [], tools: 'all' }, modes.interactive).verdict).toBe('ask');
  },
);
