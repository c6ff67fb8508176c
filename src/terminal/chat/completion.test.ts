import { expect, test } from 'vitest';

import { commandsOf } from '../../commands/run-command.ts';
import type { ChatBackend } from './chat-backend.ts';
import { createCompletion } from './completion.ts';

const backend = {
  agents: async () => [
    { name: 'ada', from: 'default' },
    { name: 'owl', from: 'user' },
  ],
  commands: async () => [
    { name: 'review', summary: 'another review', from: 'project' },
    { name: 'release', summary: 'release it', from: 'project' },
    { name: 'git:commit', summary: 'commit', from: 'user' },
    { name: 'mcp__docs__greet', summary: 'greets', hint: 'who', from: 'mcp' },
  ],
  resources: async () => [{ mention: 'docs:note://chat', title: 'Chat notes' }],
  files: async (text: string) => ['src/chat.ts', 'docs/chat.md'].filter((file) => file.includes(text)),
} as unknown as ChatBackend;

const completion = createCompletion({
  commands: () => commandsOf('screen'),
  backend: () => backend,
});
const { signal } = new AbortController();
const suggested = async (line: string) => {
  const found = await completion.getSuggestions([line], 0, line.length, { signal });
  return found === null ? null : found.items.map(({ label, description }) => `${label}: ${description ?? ''}`);
};
const applied = (line: string, value: string) => {
  const { lines, cursorCol } = completion.applyCompletion([line], 0, line.length, { value, label: value }, '');
  return `${lines[0]?.slice(0, cursorCol)}|${lines[0]?.slice(cursorCol)}`;
};

test('commands are completed with their help, arguments and files with what there is', async () => {
  expect(await suggested('/us')).toEqual([
    '/usage: show tokens, cost and time',
    '/status: show what the session is doing',
    '/trust: allow a request for the whole session',
  ]);
  expect(await suggested('/agent o')).toEqual(['owl: user']);
  expect(await suggested('look at @chat')).toEqual([
    'src/chat.ts: ',
    'docs/chat.md: ',
    'docs:note://chat: Chat notes',
  ]);
  expect(await suggested('mail me@home')).toBeNull();
  expect(await suggested('what is in /etc')).toBeNull();
});

test('what is written out is not offered, so that enter sends it', async () => {
  expect(await suggested('/agent owl')).toBeNull();
  expect(await suggested('/usage')).toBeNull();
});

test('a whole name comes first and means itself, even where a longer one starts with it', async () => {
  const offered = await suggested('/mode');
  expect(offered?.slice(0, 2).map((line) => line.split(':')[0])).toEqual(['/mode', '/model']);
  expect(applied('/mode', 'model')).toBe('/mode|');
  expect(applied('/mod', 'model')).toBe('/model|');
});

test('a choice takes the place of what is typed by then, and of nothing else', () => {
  expect(applied('/us', 'usage')).toBe('/usage|');
  expect(applied('/agent o', 'owl')).toBe('/agent owl|');
  expect(applied('/agent owl', 'ada')).toBe('/agent owl|');
  expect(applied('look at @ch', 'src/chat.ts')).toBe('look at @src/chat.ts |');
});

test('[C131] [C140] commands from files and prompts of MCP servers are completed, and a slow server delays nothing', async () => {
  expect(await suggested('/rel')).toEqual(['/release: release it (project)']);
  // One with the name of a built-in command is listed once.
  expect((await suggested('/rev'))?.filter((line) => line.startsWith('/review'))).toEqual([
    '/review: review code without changing it',
  ]);
  expect(await suggested('/git:')).toEqual(['/git:commit: commit (user)']);
  expect(await suggested('/mcp__')).toEqual(['/mcp__docs__greet: greets (mcp)']);
  const never = new Promise<never>(() => undefined);
  const slow = { ...backend, commands: () => never, resources: () => never } as unknown as ChatBackend;
  const other = createCompletion({ commands: () => commandsOf('screen'), backend: () => slow });
  const found = async (line: string) =>
    (await other.getSuggestions([line], 0, line.length, { signal }))?.items.map(({ value }) => value);
  expect((await found('/us'))?.[0]).toBe('usage');
  expect(await found('@src')).toEqual(['src/chat.ts']);
});
