import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { z } from 'zod';

import type { Tool } from '../../src/ports/tool.ts';
import {
  type OpenTool,
  toolContract,
  type ToolUnderTest,
  type ToolWorkspace,
  waysOut,
} from '../../src/testing/contracts/tool-contract.ts';
import { createDefaultTools } from '../../src/tools/default-tools.ts';
import { createMemoryNotes } from '../../src/tools/talk/notes-tool.ts';
import { defineTool } from '../../src/tools/program-tool.ts';
import { createReadLedger } from '../../src/tools/define/read-ledger.ts';

type Sample = Omit<ToolUnderTest, 'tool'>;
const outOf = (workspace: ToolWorkspace, args: (file: string) => unknown) => ({
  escapes: waysOut(workspace).map(args),
});

const SAMPLES: Readonly<Record<string, (workspace: ToolWorkspace) => Sample>> = {
  read: (workspace) => ({
    good: { path: 'notes.txt' },
    bad: { path: 7 },
    ...outOf(workspace, (file) => ({ path: file })),
  }),
  write: (workspace) => ({
    good: { path: 'made/deep/new.txt', content: 'new\n' },
    bad: { path: 'x' },
    ...outOf(workspace, (file) => ({ path: file, content: 'overwritten' })),
  }),
  edit: (workspace) => ({
    good: { path: 'notes.txt', edits: [{ old_text: 'first', new_text: 'other' }] },
    bad: { path: 'notes.txt', edits: [] },
    ...outOf(workspace, (file) => ({ path: file, edits: [{ old_text: 'hidden', new_text: 'x' }] })),
  }),
  delete: (workspace) => ({
    good: { path: 'notes.txt' },
    bad: {},
    ...outOf(workspace, (file) => ({ path: file, recursive: true })),
  }),
  list: (workspace) => ({
    good: {},
    bad: { depth: 0 },
    escapes: ['..', workspace.outside, 'out', '/etc'].map((file) => ({ path: file })),
  }),
  glob: (workspace) => ({
    good: { pattern: '*.ts' },
    bad: {},
    escapes: ['..', workspace.outside, 'out', '/etc'].map((file) => ({ pattern: '*', path: file })),
  }),
  grep: (workspace) => ({
    good: { pattern: 'line' },
    bad: { pattern: '' },
    ...outOf(workspace, (file) => ({ pattern: 'hidden', path: file })),
  }),
  shell: (workspace) => ({
    good: { command: 'echo hello' },
    bad: { command: 'ls', timeout_ms: 1 },
    slow: { command: 'sleep 30' },
    escapes: ['..', workspace.outside, 'out', '/etc'].map((file) => ({ command: 'ls', cwd: file })),
  }),
  git_status: (workspace) => ({
    good: {},
    bad: { path: 1 },
    escapes: ['..', workspace.outside, 'out'].map((file) => ({ path: file })),
  }),
  git_diff: (workspace) => ({
    good: {},
    bad: { from: '--output=x' },
    ...outOf(workspace, (file) => ({ paths: [file] })),
  }),
  git_log: (workspace) => ({ good: {}, bad: { revision: '-x' }, ...outOf(workspace, (file) => ({ path: file })) }),
  git_commit: (workspace) => ({
    good: { message: 'all', paths: ['notes.txt'] },
    bad: {},
    ...outOf(workspace, (file) => ({ message: 'x', paths: [file] })),
  }),
  run_tests: (workspace) => ({
    good: {},
    bad: { filter: '--x' },
    escapes: ['..', workspace.outside, 'out'].map((file) => ({ path: file })),
  }),
  web_fetch: () => ({ good: { url: 'http://127.0.0.1:9/' }, bad: {} }),
  web_search: () => ({ good: { query: 'rondo' }, bad: {} }),
  notes: () => ({ good: { action: 'add', text: 'remember' }, bad: { action: 'lose' } }),
  ask_user: () => ({ good: { question: 'Which?' }, bad: {} }),
};

const notes = createMemoryNotes();
for (const { name } of defaultTools()) {
  toolContract(name, (workspace) => {
    if (/^git_|^run_tests$/.test(name)) prepare(workspace);
    const tool = defaultTools().find((each) => each.name === name);
    const sample = SAMPLES[name]?.(workspace);
    if (tool === undefined || sample === undefined)
      throw new Error(`The built-in tool ${name} has no sample call.`);
    return { tool, ...sample };
  });
}

toolContract('a tool of the embedding program', (() => ({
  tool: defineTool({
    name: 'add',
    description: 'Adds.',
    schema: z.object({ a: z.number(), b: z.number() }),
    run: ({ a, b }) => a + b,
  }),
  good: { a: 1, b: 2 },
  bad: { a: 'one' },
})) satisfies OpenTool);

toolContract('a tool of the embedding program that never ends', (() => ({
  tool: defineTool({
    name: 'wait',
    description: 'Waits.',
    schema: { type: 'object', properties: { seconds: { type: 'number' } }, required: ['seconds'] },
    run: ({ seconds }) => (Number(seconds) === 0 ? 'done' : new Promise<string>(() => undefined)),
  }),
  good: { seconds: 0 },
  bad: { seconds: 'many' },
  slow: { seconds: 9 },
})) satisfies OpenTool);

function defaultTools(): readonly Tool[] {
  return createDefaultTools({ ledger: createReadLedger(), notes });
}

function prepare({ root }: ToolWorkspace): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: root });
  git('init', '--quiet');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@example.org');
  git('add', 'src');
  git('commit', '--quiet', '--message=first');
  writeFileSync(path.join(root, 'package.json'), '{"scripts":{"test":"echo 1 passing"}}');
}
