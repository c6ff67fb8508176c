// The whole screen of a session at rest and at work, stored as files. Change them only on purpose.
import { stripVTControlCharacters } from 'node:util';

import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { EffectId, SessionId } from '../kernel/ids.ts';
import { footerFacts } from '../testing/footer-facts.ts';
import { plainLook, plainPaint } from '../testing/plain-look.ts';
import type { Status } from '../views/status.ts';
import type { Item } from '../views/transcript-item.ts';
import type { Chat } from './chat/chat.ts';
import { menuText } from './chat/menu-text.ts';
import { newChatView, type ChatView } from './chat/chat-view.ts';
import { shapes } from './glyphs.ts';
import { createConversationDrawer } from './screen/draw-conversation.ts';
import type { FooterFacts } from './screen/footer.ts';
import { lowerLines, type LowerFacts } from './screen/lower-lines.ts';
import { createMarkdown } from './screen/markdown.ts';

process.env['TZ'] = 'UTC';

const started = Date.UTC(2026, 10, 19, 9, 41);
const now = started + 72_000;
const me = { type: 'person', name: 'terminal' };
let seq = 0;
const next = () => `${(seq += 1)}`;

const prompt = (text: string) =>
  ({
    id: next(),
    type: 'prompt',
    by: me,
    taken: 'turn-started',
    asked: { type: 'chat', text },
    receivedAt: started,
    at: started,
  }) as unknown as Item;

const message = (text: string) =>
  ({ id: next(), type: 'message', text, outcome: { type: 'completed' } }) as unknown as Item;

const call = (tool: string, args: object, state: object, given: object = {}) =>
  ({
    id: next(),
    type: 'call',
    call: `call_${seq}`,
    tool,
    args: JSON.stringify(args),
    facts: {},
    state: { type: 'succeeded', output: '', at: 0, durationMs: 100, ...state },
    ...given,
  }) as unknown as Item;

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');
const edit = (path: string, added: number, removed: number) =>
  call('edit', { path, edits: [{ old_text: lines(removed, 'old'), new_text: lines(added, 'new') }] }, {});

const task = 'The total of a cart is off by a cent now and then. Find out why, fix it and add a test.';
const lookups = () => [
  ...['total', 'item', 'discount', 'tax'].map((name) => call('read', { path: `src/cart/${name}.ts` }, {})),
  ...['price', 'round'].map((pattern) => call('grep', { pattern }, {})),
];
const tested = { output: 'Tests  45 passed (45)', durationMs: 5900, data: { exitCode: 0 } };

const atRest = [
  prompt(task),
  ...lookups(),
  edit('src/cart/total.ts', 6, 3),
  edit('test/cart/total.test.ts', 18, 4),
  edit('src/cart/discount.ts', 2, 1),
  call('shell', { command: 'npx tsc --noEmit' }, { data: { exitCode: 0 } }),
  call('shell', { command: 'npx vitest run' }, tested),
  message(
    'total adds cents as integers now and divides once, at the end. Discounts use the same helper. The table in `test/cart/total.test.ts` has 14 carts. Three of them failed before the fix.',
  ),
  {
    id: next(),
    type: 'ending',
    by: me,
    durationMs: 124_000,
    ending: { type: 'completed' },
    at: now,
  } as unknown as Item,
];
const ending = atRest.at(-1)?.id ?? '';

const error = `src/cart/discount.ts(32,10): error TS2304: Cannot find name 'roundCents'.\n${lines(3, 'more')}`;
const running = call(
  'shell',
  { command: 'npx vitest run src/cart' },
  { type: 'running' },
  { run: { seq: 70, at: now - 1200 } },
);
const writing = 'ses_1.90' as EffectId;
const atWork = [
  prompt(task),
  ...lookups(),
  message(
    'total adds prices as floating-point numbers. 0.1 + 0.2 gives 0.30000000000000004, so a cart with three items can show one cent too much. The fix:\n\n- add cents as integers and divide once, at the end\n- round discounts with the same helper\n- cover both with a table of 14 carts',
  ),
  edit('src/cart/total.ts', 6, 3),
  edit('test/cart/total.test.ts', 18, 4),
  call('shell', { command: 'npx tsc --noEmit' }, { output: error, data: { exitCode: 2 }, durationMs: 2800 }),
  edit('src/cart/discount.ts', 2, 1),
  running,
];

const stream = { attempt: 1, text: '', reasoning: '', output: '', status: '' };
const status = {
  title: 'Cart total is off by a cent',
  lifecycle: 'running',
  doing: [],
  turn: { steps: 7, startedAt: started },
  limits: { steps: 50 },
  usage: { inputTokens: 14_000, outputTokens: 100 },
  queue: { paused: false, prompts: [] },
} as unknown as Status;

function viewOf(items: readonly Item[], given: Partial<ChatView>): ChatView {
  return { ...newChatView('ses_1' as SessionId, items), status, ...given };
}

const rest = viewOf(atRest, {
  status: { ...status, lifecycle: 'idle', turn: undefined } as unknown as Status,
  costs: new Map([[ending, 0.31]]),
});
const work = viewOf(atWork, {});
const atWorkView: ChatView = {
  ...work,
  transcript: { ...work.transcript, writing: { effect: writing, since: 0, attempt: 1 } },
  streams: new Map([
    [
      'ses_1.70' as EffectId,
      {
        ...stream,
        output:
          'RUN\n ✓ src/cart/total.test.ts (14 tests) 38 ms\n ✓ src/cart/discount.test.ts (9 tests) 21 ms\n RUN  src/cart/tax.test.ts',
      },
    ],
    [
      writing,
      {
        ...stream,
        text: "While the tests run: the same sum exists in src/invoice/print.ts, which formats its total separately. I'll check whether it",
      },
    ],
  ]),
};

function screen(
  view: ChatView,
  facts: FooterFacts,
  width: number,
  given: Partial<LowerFacts> = {},
): readonly string[] {
  const look = plainLook(width, {
    now,
    markdown: createMarkdown(plainPaint, shapes),
    streamOf: (effect) => view.streams.get(effect),
  });
  const { lines: conversation } = createConversationDrawer({ pace: 'at-once' }).draw(view, look, 0);
  const isWorking = view.status?.turn !== undefined;
  const chat = { view, entry: { type: 'prompt' }, isWorking, isLost: false, unsent: [], self: 'terminal' };
  const {
    above,
    prompt: draft,
    below,
  } = lowerLines(
    {
      chat: chat as unknown as Chat,
      editor: { text: ['  '], menu: [] },
      draft: '',
      vimMode: undefined,
      selectedPrompt: undefined,
      card: () => [],
      hasCardFocus: false,
      isPanelOpen: true,
      footer: facts,
      keys: isWorking ? 'turn' : 'idle',
      hint: '',
      waiting: 1,
      linesBelow: 0,
      rows: 36,
      ...given,
    },
    look,
  );
  return [...conversation, ...above, ...draft, ...below];
}

/** The menu as the editor gives it. */
const menu = [
  ['diff', "Show this session's changes", ''],
  ['fork', 'Continue from an earlier message in a new session', ''],
  ['permissions', 'Show and revoke rules, with the file each one is from', ''],
  ['model', 'Change the model', 'Alt+M'],
  ['mode', 'Change the mode', 'Shift+Tab'],
  ['mcp', 'Show MCP servers, tools and sign-ins', ''],
  ['inbox', 'Show everything that needs you', 'Ctrl+N'],
  ['release-notes', 'Write release notes from merged pull requests', 'skill'],
] as const;
const slash: Partial<LowerFacts> = {
  draft: '/',
  keys: 'menu',
  editor: {
    text: ['  /'],
    menu: [
      ...menu.map(
        ([name, does, at], index) =>
          `  ${index === 0 ? '❯' : ' '} ${`/${name}`.padEnd(16)}  ${menuText(does, at)}`,
      ),
      '    23 more',
    ],
  },
};

const screens: Readonly<Record<string, readonly [ChatView, FooterFacts, Partial<LowerFacts>?]>> = {
  idle: [rest, footerFacts],
  'slash menu': [rest, footerFacts, slash],
  streaming: [
    atWorkView,
    {
      ...footerFacts,
      context: { tokens: 62_000, window: 100_000 },
      usage: { cost: 0.84, costIsKnown: true, unpricedCalls: 0 },
    },
  ],
};

test.each([60, 120, 200])('[C126] a whole screen, %i columns wide', async (width) => {
  const text = Object.entries(screens).map(([name, [view, facts, given]]) => {
    const drawn = screen(view, facts, width, given);
    expect(drawn.filter((line) => visibleWidth(line) > width)).toEqual([]);
    return `== ${name}\n${drawn.map((line) => stripVTControlCharacters(line).trimEnd()).join('\n')}\n`;
  });
  await expect(text.join('\n')).toMatchFileSnapshot(`frames/screens-${width}.txt`);
});
