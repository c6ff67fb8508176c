// Screens of the lists, stored as files. Change them only on purpose.

import { stripVTControlCharacters } from 'node:util';

import { visibleWidth } from '@earendil-works/pi-tui';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { SessionHit } from '../../ports/rondo-client.ts';
import { plainLook } from '../../testing/plain-look.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import type { Picker } from './picker.ts';
import { createPickers } from './pickers.ts';

const minute = 60_000;
const now = 1000 * minute;

const entry = (title: string, given: Partial<SessionHit> & { readonly age: number }): SessionHit =>
  ({
    session: `ses_${title.replaceAll(/\W/g, '').toLowerCase()}`,
    title,
    questions: 0,
    state: 'idle',
    cwd: '/srv/lumen-shop',
    updatedAt: now - given.age * minute,
    cost: 0.12,
    costIsKnown: true,
    turns: 1,
    ...given,
  }) as unknown as SessionHit;

const builds = entry('Clear out old builds', { age: 2, questions: 1, state: 'waiting' });
const sessions: readonly SessionHit[] = [
  entry('Dark mode for invoices', { age: 22, ending: 'completed', cost: 0.55 }),
  entry('Cart total is off by a cent', { age: 4, ending: 'completed', cost: 0.84 }),
  builds,
  entry('Nightly dependency bump', {
    age: 300,
    ending: 'failed',
    problem: 'Rate limit reached',
    cwd: '/srv/kestrel',
    cost: 1.9,
  }),
  entry('Port checkout tests to Vitest', { age: 6, state: 'running', doing: 'running tests', cost: 0.41 }),
  entry('Batched writes, second try', { age: 14, state: 'running', doing: 'step 14', cwd: '/srv/tidepool' }),
  entry('請求書のダークモード 👩‍👩‍👧', { age: 1600, ending: 'cancelled', cwd: '/srv/harbor-docs', cost: 0 }),
];
const question = {
  id: 'q_1',
  openedAt: now,
  about: { type: 'approval', call: 'c', tool: 'shell', rule: 'default', reason: 'x', grants: [] },
  args: '{"command":"du -sh dist && rm -rf dist/old && du -sh dist | tee clean.log"}',
  facts: {
    segments: [
      { text: 'rm -rf dist/old', effect: 'delete' },
      { text: 'tee clean.log', effect: 'edit' },
    ],
  },
};
const renamed: string[] = [];
const archived = new Set<string>();
const backend = {
  sessions: async () => sessions,
  searchSessions: async (text: string) =>
    text === 'nothing' ? [] : [{ ...sessions[0], excerpt: `…the invoice has a ${text} ground…` }],
  archived: async () => new Set(archived),
  mark: async (session: string, { isArchived }: { readonly isArchived: boolean }) =>
    void (isArchived ? archived.add(session) : archived.delete(session)),
  inbox: async () => [{ id: 'q_1', session: builds.session, openedAt: now }],
  branch: async (folder: string) => (folder.endsWith('shop') ? 'cart-rounding' : 'main'),
  open: async (session: string) => ({
    status: async () => ({ title: 'Clear out old builds', cwd: '/srv/lumen-shop' }),
    questions: async () => [question],
    transcript: async () => ({ items: [{ type: 'message', text: 'I checked it. **Both** themes pass.' }] }),
    send: async (input: { readonly title: string }) => renamed.push(`${session} ${input.title}`),
    fork: async () => ({ id: `${session}_fork` }),
  }),
  models: async () => [
    { id: 'claude-sonnet-5-5', provider: 'anthropic', window: 1_000_000, price: { input: 2, output: 10 } },
    { id: 'gpt-6-sol', provider: 'openai', window: 400_000, price: null },
    { id: 'ollama/resonance-12b', provider: 'ollama', window: 32_768, price: { input: 0, output: 0 } },
    { id: 'claude-haiku-5', provider: 'anthropic', window: 200_000, price: { input: 0.8, output: 4 } },
  ],
} as unknown as ChatBackend;

// The preview waits until the selection rests.
const restMs = 200;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  archived.clear();
});

const keys = {
  down: '\u001B[B',
  tab: '\t',
  enter: '\r',
  rename: '\u0012',
  fork: '\u0006',
  archive: '\u0018',
  clear: '\u0015',
};

/** A list on a screen, and what it did. */
function scene({ folder = '/srv/lumen-shop' } = {}) {
  const opened: string[] = [];
  const commands: string[] = [];
  const screen: { picker: Picker | undefined } = { picker: undefined };
  const pickers = createPickers({
    show: (picker) => (screen.picker = picker),
    backend: () => backend,
    open: (session) => opened.push(session),
    place: () => ({ folder, current: 'ses_carttotalisoffbyacent', previous: builds.session }),
    command: (line) => commands.push(line),
    setTheme: () => undefined,
    colorsOf: (name) => ({ depth: 'none', name }),
    say: () => undefined,
    setDraft: () => undefined,
    history: () => [],
    changed: () => undefined,
    onProblem: (error) => {
      throw error;
    },
  });
  /** Presses keys, each after what the one before loads. */
  async function press(...typed: readonly string[]): Promise<void> {
    for (const key of ['', ...typed]) {
      if (key !== '') screen.picker?.handle(key);
      await vi.advanceTimersByTimeAsync(restMs);
    }
  }
  const lines = (width: number) => screen.picker?.lines(plainLook(width, { now }), 21, 30).map(plain) ?? [];
  return { pickers, press, lines, opened, commands, screen };
}
const plain = (line: string) => stripVTControlCharacters(line).trimEnd();

const states: Readonly<Record<string, (at: ReturnType<typeof scene>) => Promise<void>>> = {
  'sessions of this folder': async ({ pickers, press }) => {
    pickers.sessions('');
    await press();
  },
  'sessions of all folders, another selected': async ({ pickers, press }) => {
    pickers.sessions('');
    await press(keys.tab, keys.down);
  },
  'a search in titles and text': async ({ pickers, press }) => {
    pickers.sessions('');
    await press('d', 'a', 'r', 'k');
  },
  'no session found': async ({ pickers, press }) => {
    pickers.sessions('nothing');
    await press();
  },
  'renaming a session': async ({ pickers, press }) => {
    pickers.sessions('');
    await press(keys.rename, keys.clear, 'B', 'u');
  },
  'archived sessions': async ({ pickers, press }) => {
    archived.add('ses_darkmodeforinvoices');
    pickers.sessions('');
    await press(keys.tab, keys.tab);
  },
  models: async ({ pickers, press }) => {
    pickers.models('claude-sonnet-5-5');
    await press();
  },
  'models, searched': async ({ pickers, press }) => {
    pickers.models('claude-sonnet-5-5');
    await press('a', 'n', 't');
  },
  'session rules': async ({ pickers, press }) => {
    pickers.modes('accept edits');
    await press();
  },
};

test.each([60, 120, 200])('[C126] each list %i columns wide', async (width) => {
  const drawn: string[] = [];
  for (const [name, open] of Object.entries(states)) {
    const at = scene();
    await open(at);
    const lines = at.lines(width);
    at.screen.picker?.close();
    drawn.push(`== ${name}\n${lines.join('\n')}\n`);
  }
  await expect(drawn.join('\n')).toMatchFileSnapshot(`../frames/pickers-${width}.txt`);
});

test('[C126] no list is wider than the terminal, from 40 to 300 columns', async () => {
  for (const open of Object.values(states)) {
    const at = scene();
    await open(at);
    for (const width of [40, 47, 80, 140, 300])
      expect(at.lines(width).filter((line) => visibleWidth(line) > width)).toEqual([]);
    at.screen.picker?.close();
  }
});

test('[C126] Ctrl+P Enter goes back to the session before; Ctrl+R renames and Ctrl+F forks the selected one', async () => {
  const { pickers, press, opened } = scene();
  pickers.sessions('');
  await press(keys.enter);
  pickers.sessions('');
  await press(keys.rename, keys.clear, 'B', keys.enter, keys.fork);
  expect([opened, renamed]).toEqual([[builds.session, `${builds.session}_fork`], [`${builds.session} B`]]);
});

test('[C126] Ctrl+X archives the selected session; Tab comes to the archived ones, where it takes one back', async () => {
  const { pickers, press, lines, screen } = scene();
  const seen = () => [
    screen.picker?.hints,
    ...lines(120).flatMap((line) => /Clear out|archived/.exec(line) ?? []),
  ];
  pickers.sessions('');
  await press();
  const before = seen();
  await press(keys.archive);
  const after = seen();
  await press(keys.tab, keys.tab);
  const there = seen();
  await press(keys.archive);
  expect([before, after, there, seen(), [...archived]]).toEqual([
    ['sessions', 'Clear out'],
    ['sessions'],
    ['archived', 'archived', 'Clear out'],
    ['sessions', 'Clear out'],
    [],
  ]);
  screen.picker?.close();
});

test('[C126] a search shows archived sessions only where nothing else matches', async () => {
  archived.add('ses_darkmodeforinvoices');
  const { pickers, press, lines, screen } = scene();
  pickers.sessions('dark');
  await press();
  expect(lines(120).filter((line) => line.includes('Dark mode for invoices'))).toHaveLength(1);
  screen.picker?.close();
});

test('[C126] a search that finds nothing in this folder shows what is in others', async () => {
  const { pickers, press, lines, screen } = scene({ folder: '/srv/elsewhere' });
  pickers.sessions('dark');
  await press();
  expect(lines(120)[0]).toContain('1 · this folder 0 · Tab all folders');
  expect(lines(120).filter((line) => line.includes('Dark mode for invoices'))).toHaveLength(1);
  screen.picker?.close();
});

test('[C126] while the list is open, rows keep their places and the selection its row', async () => {
  const { pickers, press, lines, screen } = scene();
  const titles = () =>
    lines(120)
      .filter((line) => /\$/.test(line))
      .map((line) => line.slice(6, 24));
  pickers.sessions('');
  await press(keys.tab, keys.down, keys.down);
  const before = titles();
  const selected = lines(120).find((line) => line.includes('❯'));
  await press(keys.tab, keys.tab);
  expect(titles()).toEqual(before);
  expect(lines(120).find((line) => line.includes('❯'))).toEqual(selected);
  screen.picker?.close();
});
