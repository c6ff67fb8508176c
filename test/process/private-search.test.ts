// A session whose folder contains the user's home or Rondo's own must not find tokens by searching it (S5).
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { CallId, EffectId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { judge } from '../../src/kernel/policy/permission.ts';
import { createDefaultTools } from '../../src/tools/default-tools.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';
import { createMemoryNotes } from '../../src/tools/talk/notes-tool.ts';

const CANARY = 'canary-5b1d';
const outer = { HOME: process.env['HOME'], RONDO_HOME: process.env['RONDO_HOME'] };
let home = '';

beforeAll(async () => {
  home = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-home-')));
  const files = {
    'state/token': CANARY,
    '.config/gh/hosts.yml': `oauth_token: ${CANARY}\n`,
    'project/notes.txt': 'canary of the coal mine\n',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(home, name)), { recursive: true });
    await writeFile(path.join(home, name), content);
  }
  Object.assign(process.env, { HOME: home, RONDO_HOME: path.join(home, 'state') });
});

afterAll(async () => {
  for (const [name, value] of Object.entries(outer)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await rm(home, { recursive: true, force: true });
});

const tools = createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes() });

/** What a call shows if it runs unasked, or its verdict. */
async function shown(tool: string, args: Readonly<Record<string, unknown>>, folder = ''): Promise<string> {
  const root = path.join(home, folder);
  const context = { session: 'ses_1' as SessionId, agent: 'a', cwd: root, roots: [root] };
  const found = tools.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`there is no ${tool}`);
  const facts = await found.describe(args, context);
  const call = { id: 'c1' as CallId, tool, args: '', facts };
  const { verdict } = judge(call, { rules: [], grants: [], tools: 'all' }, modes.interactive);
  if (verdict !== 'allow') return verdict;
  const signal = new AbortController().signal;
  const run = { ...context, effect: 'ses_1.1' as EffectId, attempt: 1, epoch: 1, facts, signal };
  return JSON.stringify(await found.run(args, { ...run, progress: () => undefined }));
}

test('[S5] the attack works without a judge', () => {
  const output = execFileSync('grep', ['-r', 'canary', '.'], { cwd: home, encoding: 'utf8' });
  expect(output.split(CANARY).length).toBe(3);
});

test.for([
  'grep -r canary .',
  'grep -rn canary',
  'grep -R canary .config',
  'rg canary',
  'ls | grep -r canary state',
])('[S5] [S9] %s in the home folder asks or is denied', async (command) => {
  expect(await shown('shell', { command })).toMatch(/^(?:ask|deny)$/);
});

test('[S5] the search tool leaves private places out and finds the rest', async () => {
  const everything = await shown('grep', { pattern: 'canary' });
  expect([everything.includes('coal mine'), everything.includes(CANARY)]).toEqual([true, false]);
  expect(await shown('grep', { pattern: 'canary', path: '.config' })).not.toContain(CANARY);
});

test('[S9] a search in a project of that home runs unasked', async () => {
  expect(await shown('shell', { command: 'grep -rn canary .' }, 'project')).toContain('coal mine');
});
