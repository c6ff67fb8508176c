import { expect, test } from 'vitest';

import { commandsOf } from '../../commands/run-command.ts';
import type { ChatBackend } from './chat-backend.ts';
import { createCompletion } from './completion.ts';
import { menuParts } from './menu-text.ts';

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
  sessions: async () => [
    { session: 'ses_1', title: 'Chat, second edition', turns: 2 },
    { session: 'ses_2', title: 'Its worker, in a chat', turns: 1, parent: 'ses_1' },
    { session: 'ses_3', title: 'A chat that never began', turns: 0 },
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
  return found === null
    ? null
    : found.items.map(({ label, description }) => `${label}: ${(description ?? '').replace('\u001F', ' | ')}`);
};
const applied = (line: string, value: string) => {
  const { lines, cursorCol } = completion.applyCompletion([line], 0, line.length, { value, label: value }, '');
  return `${lines[0]?.slice(0, cursorCol)}|${lines[0]?.slice(cursorCol)}`;
};

test('commands are completed with their help, arguments and files with what there is', async () => {
  expect(await suggested('/us')).toEqual([
    '/usage: Show tokens, cost and time',
    '/status: Show what the session is doing',
    '/trust: Allow a request for the whole session',
  ]);
  expect(await suggested('/agent o')).toEqual(['owl: user']);
  // Sessions and resources are read in the background: a later key has them.
  expect(await suggested('look at @chat')).toEqual(['src/chat.ts: ', 'docs/chat.md: ']);
  await new Promise(setImmediate);
  expect(await suggested('look at @chat')).toEqual([
    'src/chat.ts: ',
    'docs/chat.md: ',
    'Chat, second edition: session',
    'docs:note://chat: Chat notes',
  ]);
  expect(applied('look at @session:', 'session:ses_1')).toBe('look at @session:ses_1 |');
  expect(await suggested('mail me@home')).toBeNull();
  expect(await suggested('what is in /etc')).toBeNull();
});

test("a complete name isn't offered, so that Enter sends it", async () => {
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
  expect(await suggested('/rel')).toEqual(['/release: Release it | project']);
  // One with the name of a built-in command is listed once.
  expect((await suggested('/rev'))?.filter((line) => line.startsWith('/review'))).toEqual([
    '/review: Review code without changing it',
  ]);
  expect(await suggested('/git:')).toEqual(['/git:commit: Commit | user']);
  expect(await suggested('/mcp__')).toEqual(['/mcp__docs__greet: Greets | mcp']);
  const never = new Promise<never>(() => undefined);
  const slow = { ...backend, commands: () => never, resources: () => never } as unknown as ChatBackend;
  const other = createCompletion({ commands: () => commandsOf('screen'), backend: () => slow });
  const found = async (line: string) =>
    (await other.getSuggestions([line], 0, line.length, { signal }))?.items.map(({ value }) => value);
  expect((await found('/us'))?.[0]).toBe('usage');
  expect(await found('@src')).toEqual(['src/chat.ts']);
});

test('[C131] commands from files that are read slowly are there at a later key', async () => {
  const late = Promise.withResolvers<Awaited<ReturnType<ChatBackend['commands']>>>();
  const never = new Promise<never>(() => undefined);
  const answers = [late.promise, never];
  const slow = { ...backend, commands: () => answers.shift() ?? never } as unknown as ChatBackend;
  const own = createCompletion({ commands: () => commandsOf('screen'), backend: () => slow });
  const found = async (line: string) =>
    (await own.getSuggestions([line], 0, line.length, { signal }))?.items.map(({ value }) => value) ?? [];
  expect(await found('/rel')).not.toContain('release');
  late.resolve(await backend.commands());
  expect(await found('/rele')).toEqual(['release']);
});

test('commands used lately come first among equals, initials find a name, and a key stands at the right', async () => {
  const own = createCompletion({
    commands: () => commandsOf('screen'),
    backend: () => backend,
    recent: () => ['/model x', 'fix it', '/diff', '/model'],
    keyOf: (command) => (command === 'model' ? 'Alt+M' : undefined),
  });
  const found = async (line: string) =>
    (await own.getSuggestions([line], 0, line.length, { signal }))?.items.map(({ value }) => value) ?? [];
  expect((await found('/')).slice(0, 3)).toEqual(['model', 'diff', 'agent']);
  expect((await found('/d')).slice(0, 1)).toEqual(['diff']);
  expect((await found('/gc')).slice(0, 1)).toEqual(['git:commit']);
  // A mistyped name stays one, so that Enter runs no other command.
  expect(await found('/stats')).toEqual([]);
  const [first] = (await own.getSuggestions(['/mo'], 0, 3, { signal }))?.items ?? [];
  expect(menuParts(first?.description ?? '')).toEqual({
    left: 'Show the model, or use another one',
    note: 'Alt+M',
  });
});
