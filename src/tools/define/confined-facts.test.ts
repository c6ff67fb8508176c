import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, test } from 'vitest';

import type { CallFacts } from '../../kernel/call.ts';
import type { CallId, SessionId } from '../../kernel/ids.ts';
import { modes } from '../../kernel/mode.ts';
import { judge } from '../../kernel/policy/permission.ts';
import { createBubblewrap } from '../../security/sandbox/bubblewrap.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { createNoSandbox } from '../../security/sandbox/sandbox.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { confinedFacts } from './confined-facts.ts';
import { createDefaultTools } from '../default-tools.ts';
import { createMemoryNotes } from '../talk/notes-tool.ts';
import { createReadLedger } from './read-ledger.ts';
import { createShellTool } from '../shell/shell-tool.ts';
import { sandboxHints } from '../shell/sandbox-hints.ts';

const danger = (rule: string, severity: 'ask' | 'deny') => ({ rule, severity, reason: rule });
const facts: CallFacts = {
  access: 'execute',
  segments: [{ text: 'x', opaque: true }],
  dangers: [danger('opaque', 'ask'), danger('git-discard', 'ask'), danger('fork-bomb', 'deny')],
  repeat: 'never',
  order: 'exclusive',
  runs: 'tool',
};

test('safety S8e: inside, only losing work, rewriting history and sending stay dangers', async () => {
  await using place = await temporaryFolder();
  const port = createBubblewrap({ probe: async () => undefined });
  const inside = await confinedFacts(facts, [place.folder], { port, level: 'auto' });
  expect(inside).toEqual({
    ...facts,
    dangers: [danger('git-discard', 'ask'), danger('fork-bomb', 'deny')],
    confined: true,
  });
});

test('[S22] a push and a publication are asked about inside, wherever the word stands', async () => {
  await using place = await temporaryFolder();
  const port = createBubblewrap({ probe: async () => undefined });
  const shell = createShellTool({ sandbox: { port, level: 'auto' } });
  const context = { session: 'ses_1' as SessionId, agent: 'a', cwd: place.folder, roots: [place.folder] };
  const verdict = async (command: string) => {
    const call = {
      id: 'c1' as CallId,
      tool: 'shell',
      args: '',
      facts: await shell.describe({ command }, context),
    };
    return judge(call, { rules: [], grants: [], tools: 'all' }, modes.interactive).verdict;
  };
  const sending = [
    'git push',
    'npm publish',
    'pnpm --filter @a/b publish',
    'bash -c "git push"',
    'npm run publish-docs',
  ];
  expect(await Promise.all(sending.map(verdict))).toEqual(['ask', 'ask', 'ask', 'ask', 'allow']);
});

test('safety S8e: reading a secret of the project is asked about inside', async () => {
  await using place = await temporaryFolder();
  await writeFile(path.join(place.folder, '.env'), 'KEY=1');
  const port = createBubblewrap({ probe: async () => undefined });
  const shell = createShellTool({ sandbox: { port, level: 'auto' } });
  const rules = async (command: string) => {
    const context = { session: 'ses_1' as SessionId, agent: 'a', cwd: place.folder, roots: [place.folder] };
    const { dangers = [] } = await shell.describe({ command }, context);
    return dangers.map(({ rule }) => rule);
  };
  const asked = ['cat ./.env', 'nl .env', "bash -c 'cat .en*'", 'git diff --no-index /dev/null .env', 'node -e 1'];
  expect(await Promise.all(asked.map(rules))).toEqual([...asked.slice(1).map(() => ['read-credentials']), []]);
});

test('a change that a command in the sandbox may make unasked is not asked about, a protected or secret file is', async () => {
  await using place = await temporaryFolder();
  const port = createBubblewrap({ probe: async () => undefined });
  const tools = (level: 'auto' | 'none') =>
    createDefaultTools({
      ledger: createReadLedger(),
      notes: createMemoryNotes(),
      shell: { sandbox: { port, level } },
    });
  const verdict = async (tool: string, file: string, level: 'auto' | 'none' = 'auto') => {
    const context = { session: 'ses_1' as SessionId, agent: 'a', cwd: place.folder, roots: [place.folder] };
    const args = { path: file, content: '', edits: [{ old_text: 'a', new_text: 'b' }] };
    const { [tool === 'write' ? 'edits' : 'content']: _, ...given } = args;
    const described = await tools(level)
      .find(({ name }) => name === tool)
      ?.describe(given, context);
    if (described === undefined) throw new Error('no facts');
    const call = { id: 'c1' as CallId, tool, args: '', facts: described };
    return judge(call, { rules: [], grants: [], tools: 'all' }, modes.interactive).verdict;
  };
  expect({
    written: await verdict('write', 'src/a.ts'),
    edited: await verdict('edit', 'src/a.ts'),
    secret: await verdict('write', '.env'),
    onHost: await verdict('write', '.vscode/tasks.json'),
    agents: await verdict('edit', 'AGENTS.md'),
    outside: await verdict('write', '/etc/passwd'),
    bare: await verdict('edit', 'src/a.ts', 'none'),
  }).toEqual({
    written: 'allow',
    edited: 'allow',
    secret: 'ask',
    onHost: 'ask',
    agents: 'ask',
    outside: 'deny',
    bare: 'ask',
  });
});

test('safety S8d: without a sandbox the facts stay as they are', async () => {
  const sandbox: CommandSandbox = { port: createNoSandbox('no', 'get one'), level: 'auto' };
  expect(await confinedFacts(facts, ['/nowhere'], sandbox)).toEqual(facts);
  expect(await confinedFacts(facts, ['/nowhere'], undefined)).toEqual(facts);
});

test('a command that fails at the sandbox is answered with what to do', () => {
  const output = (text: string) => ({ text, bytes: text.length, truncated: false });
  const ended = (code: number, stderr: string) =>
    sandboxHints({ outcome: { type: 'exited', code }, stdout: output(''), stderr: output(stderr) });
  expect(ended(1, 'fatal: .git/index.lock: Read-only file system')).toEqual([
    'In the sandbox, git can write only if the whole command line consists of plain git commands.',
  ]);
  expect(ended(1, 'getaddrinfo EAI_AGAIN registry')).toEqual([
    'The sandbox has no network. If the command needs it, set unconfined to ask the user for approval.',
  ]);
  expect([ended(0, 'ENOTFOUND'), ended(1, 'another failure')]).toEqual([[], []]);
});
