import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import type { CallId } from '../../src/kernel/ids.ts';
import { type Mode, modes } from '../../src/kernel/mode.ts';
import { grantsFor, judge, type Policy } from '../../src/kernel/policy/permission.ts';
import { parseRule, type Verdict } from '../../src/kernel/rule.ts';
import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createDefaultTools } from '../../src/tools/default-tools.ts';
import { createMemoryNotes } from '../../src/tools/talk/notes-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';

/** What each shipped tool may do without any rule. A tool that isn't listed here fails the test. */
const SAMPLES: Readonly<Record<string, readonly (readonly [args: object, verdict: Verdict])[]>> = {
  read: [
    [{ path: 'notes.txt' }, 'allow'],
    [{ path: '.env' }, 'ask'],
    [{ path: '../outside/secret.txt' }, 'deny'],
  ],
  write: [
    [{ path: 'new.txt', content: '' }, 'ask'],
    [{ path: 'out/new.txt', content: '' }, 'deny'],
  ],
  edit: [
    [{ path: 'notes.txt', edits: [{ old_text: 'a', new_text: 'b' }] }, 'ask'],
    [{ path: '/etc/passwd', edits: [{ old_text: 'a', new_text: 'b' }] }, 'deny'],
  ],
  delete: [
    [{ path: 'notes.txt' }, 'ask'],
    [{ path: '.', recursive: true }, 'deny'],
    [{ path: '../outside' }, 'deny'],
  ],
  list: [
    [{}, 'allow'],
    [{ path: '..' }, 'deny'],
  ],
  glob: [
    [{ pattern: '*' }, 'allow'],
    [{ pattern: '*', path: 'out' }, 'deny'],
  ],
  grep: [
    [{ pattern: 'x' }, 'allow'],
    [{ pattern: 'x', path: '.env' }, 'ask'],
    [{ pattern: 'x', path: '/etc' }, 'deny'],
  ],
  shell: [
    [{ command: 'ls' }, 'allow'],
    [{ command: 'make' }, 'ask'],
    [{ command: 'ls', suggest: true }, 'allow'],
    [{ command: 'ls', cwd: '..' }, 'deny'],
    [{ command: 'rm -rf /' }, 'deny'],
  ],
  git_status: [[{}, 'allow']],
  git_diff: [
    [{}, 'allow'],
    [{ paths: ['../outside'] }, 'deny'],
  ],
  git_log: [
    [{}, 'allow'],
    [{ path: '../outside' }, 'deny'],
  ],
  git_commit: [
    [{ message: 'x' }, 'ask'],
    [{ message: 'x', paths: ['out/secret.txt'] }, 'deny'],
  ],
  run_tests: [
    [{}, 'ask'],
    [{ path: '..' }, 'deny'],
  ],
  web_fetch: [
    [{ url: 'https://example.org/' }, 'ask'],
    [{ url: 'http://169.254.169.254/latest/meta-data' }, 'deny'],
    [{ url: 'file:///etc/passwd' }, 'deny'],
  ],
  web_search: [[{ query: 'x' }, 'ask']],
  notes: [
    [{ action: 'read' }, 'allow'],
    [{ action: 'add', text: 'x' }, 'allow'],
  ],
  ask_user: [[{ question: 'x' }, 'allow']],
};

async function open() {
  const workspace = await createToolWorkspace();
  await writeFile(path.join(workspace.root, '.env'), 'KEY=1');
  await writeFile(path.join(workspace.root, 'package.json'), '{"scripts":{"test":"true"}}');
  execFileSync('git', ['init', '--quiet'], { cwd: workspace.root });
  const registry = createToolRegistry(
    createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() }),
  );
  const judged = async (
    tool: string,
    args: object,
    policy: Partial<Policy> = {},
    mode: Mode = modes.interactive,
  ) => {
    const { facts } = await registry.describeCall(tool, JSON.stringify(args), workspace.context());
    const call = { id: 'c1' as CallId, tool, args: '', facts };
    return { call, verdict: judge(call, { rules: [], grants: [], tools: 'all', ...policy }, mode).verdict };
  };
  return { registry, judged, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

describe('the gate and the shipped tools', () => {
  test('C46: every shipped tool has its decisions written down', async () => {
    await using world = await open();
    expect(
      world.registry
        .list()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(Object.keys(SAMPLES).toSorted());
  });

  test.for(Object.entries(SAMPLES))('C46 P8: %s without any rule', async ([tool, samples]) => {
    await using world = await open();
    for (const [args, verdict] of samples) {
      expect([args, (await world.judged(tool, args)).verdict]).toEqual([args, verdict]);
    }
  });

  test('P9: what would be asked is denied where nobody can be asked', async () => {
    await using world = await open();
    expect((await world.judged('write', { path: 'x', content: '' }, {}, modes.batch)).verdict).toBe('deny');
    expect((await world.judged('read', { path: 'notes.txt' }, {}, modes.batch)).verdict).toBe('allow');
  });

  test.for([
    ['write', { path: 'src/new.ts', content: '' }],
    ['edit', { path: 'src/main.ts', edits: [{ old_text: 'a', new_text: 'b' }] }],
    ['delete', { path: 'notes.txt' }],
    ['shell', { command: 'npm test && npm run lint -- --fix' }],
    ['shell', { command: 'node --check a.js > report.txt' }],
    ['git_commit', { message: 'x', paths: ['src'] }],
    ['run_tests', {}],
    ['web_fetch', { url: 'https://example.org/a' }],
    ['web_search', { query: 'x' }],
    ['read', { path: '.env' }],
  ] as const)('P3: "allow for this session" is enough for the same call again: %s %j', async ([tool, args]) => {
    await using world = await open();
    const { call, verdict } = await world.judged(tool, args);
    expect(verdict).toBe('ask');
    const grants = grantsFor(call).flatMap((text) => parseRule(text, 'allow', 'session') ?? []);
    expect((await world.judged(tool, args, { grants })).verdict).toBe('allow');
  });
});
