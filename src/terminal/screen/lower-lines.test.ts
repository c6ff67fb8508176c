// Everything below the conversation in the states of a turn, stored as files. Change them only on purpose.
import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { SessionId, WorkerId } from '../../kernel/ids.ts';
import { laterFacts } from '../../testing/footer-facts.ts';
import { plainLook } from '../../testing/plain-look.ts';
import { listAppended } from '../../views/persistent-list.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Status } from '../../views/status.ts';
import type { Item } from '../../views/transcript-item.ts';
import { newChatView, type ChatView } from '../chat/chat-view.ts';
import type { Chat } from '../chat/chat.ts';
import { menuText } from '../chat/menu-text.ts';
import type { WorkerLine } from '../chat/worker-rows.ts';
import { lowerLines, type LowerFacts } from './lower-lines.ts';

process.env['TZ'] = 'UTC';

const minute = 60_000;
const now = 10 * minute;

const status = {
  title: 'Cart total is off by a cent',
  lifecycle: 'running',
  doing: [{ words: 'running shell: npx vitest run' }],
  turn: { steps: 7, startedAt: now - 72_000 },
  limits: { steps: 50 },
  usage: { inputTokens: 14_000, outputTokens: 100 },
  queue: { paused: false, prompts: [] },
} as unknown as Status;

const queued = (prompt: number, preview: string, delivery: 'queue' | 'steer') =>
  ({ prompt, preview, delivery, by: { type: 'person', name: 'terminal' } }) as const;

function chatWith(view: Partial<ChatView>, given: Partial<Chat> = {}): Chat {
  const chat = { view: { ...newChatView('ses_1' as SessionId), status, ...view }, entry: { type: 'prompt' } };
  return { ...chat, isWorking: true, isLost: false, unsent: [], self: 'terminal', ...given } as unknown as Chat;
}

const used = (thousands: number, cost: number) => ({ tokens: thousands * 1000, cost, costIsKnown: true });

const workers = [
  {
    name: 'docs',
    state: 'completed',
    text: '1 page updated',
    since: now - 2 * minute,
    until: now - minute,
    used: used(6, 0.06),
  },
  {
    name: 'tests',
    state: 'progressed',
    text: 'Running 214 tests, 131 done',
    since: now - 3 * minute,
    used: used(61, 0.19),
  },
  {
    name: 'migrations',
    state: 'progressed',
    text: 'Asks how to round old orders',
    since: now - 4 * minute,
    question: 'q_1',
    used: used(38, 0.11),
  },
].map((row) => ({ ...row, worker: `wrk_${row.name}` as WorkerId }) as unknown as WorkerLine);

const plan = {
  id: 'p',
  type: 'agent-plan',
  agent: 'Codex',
  entries: [
    { text: 'Read the current writer and its tests', state: 'completed' },
    { text: 'Measure insert and COPY with a million rows', state: 'in_progress' },
    { text: 'Choose by table size', state: 'pending' },
  ],
} as unknown as Item;

function viewWithPlan(): Partial<ChatView> {
  const { transcript } = newChatView('ses_1' as SessionId);
  const items = listAppended(transcript.items, plan);
  return { transcript: { ...transcript, items, current: { ...transcript.current, plan: 0 } } };
}

const states: Readonly<Record<string, Partial<LowerFacts>>> = {
  working: { chat: chatWith({}) },
  stopping: { chat: chatWith({ status: { ...status, lifecycle: 'cancelling' } }) },
  workers: { chat: chatWith({ workers }) },
  plan: { chat: chatWith(viewWithPlan()) },
  'queue and steering': {
    chat: chatWith({
      status: {
        ...status,
        doing: [],
        queue: {
          paused: false,
          prompts: [queued(4, 'Then update the changelog', 'queue'), queued(6, 'Also cover refunds', 'steer')],
        },
      },
    }),
  },
  'slash menu': {
    chat: chatWith(
      { status: { ...status, lifecycle: 'idle', turn: undefined } as unknown as Status },
      { isWorking: false },
    ),
    draft: '/',
    keys: 'menu',
    editor: {
      text: ['  /'],
      menu: [
        `  ❯ /diff         ${menuText("show this session's changes", '')}`,
        `    /model        ${menuText('change the model', 'Alt+M')}`,
        '    23 more',
      ],
    },
  },
  'scrolled up, two need you': { chat: chatWith({}), linesBelow: 84, waiting: 2 },
};

const drawn = (given: Partial<LowerFacts>, width: number, rows = 36) => {
  const facts: LowerFacts = {
    chat: undefined,
    editor: { text: ['  '], menu: [] },
    draft: '',
    vimMode: undefined,
    selectedPrompt: undefined,
    card: () => [],
    hasCardFocus: false,
    isPanelOpen: true,
    footer: laterFacts,
    keys: 'turn',
    hint: '',
    waiting: 0,
    linesBelow: 0,
    rows,
    ...given,
  };
  const { above, prompt, below } = lowerLines(facts, plainLook(width, { now }));
  return [...above, ...prompt, ...below];
};

test.each([60, 120, 200])('[C126] below the conversation, %i columns wide', async (width) => {
  const text = Object.entries(states).map(([name, given]) => `== ${name}\n${drawn(given, width).join('\n')}\n`);
  await expect(text.join('\n')).toMatchFileSnapshot(`../frames/lower-${width}.txt`);
});

test('[C126] no line below the conversation is wider than the terminal, and a low screen folds panel and queue', () => {
  for (const width of [40, 47, 80, 140, 300])
    for (const given of Object.values(states))
      expect(drawn(given, width).filter((line) => visibleWidth(line) > width)).toEqual([]);
  const low = drawn({ chat: chatWith({ workers }) }, 80, 18);
  expect(low.filter((line) => /Workers|migrations|docs/.test(line))).toEqual([
    '  Workers  3 · 1 needs you  +3 more',
  ]);
});

test('[S14] names from right to left leave the rest of a line where it is', () => {
  const titled = chatWith({ status: { ...status, title: 'סל קניות' } });
  const shown = drawn(
    { chat: titled, waiting: 1, footer: { ...laterFacts, project: 'חנות', branch: 'ענף' } },
    120,
  );
  const at = (mark: string) => shown.filter((line) => line.includes(mark)).map((line) => line.trim());
  expect(at('סל')).toEqual([expect.stringMatching(/^── \u200Eסל קניות\u200E ─+ ● 1 needs you {2}Ctrl\+N ──$/)]);
  expect(at('חנות')).toEqual([expect.stringContaining('\u200Eחנות\u200E:\u200Eענף\u200E +42 −7')]);
});

test('[C61] a worker that asks is listed with what its question does', () => {
  const question = {
    id: 'q_1',
    openedAt: now,
    about: { type: 'approval', call: 'c', tool: 'shell', rule: 'default', reason: '', grants: [] },
    args: '{"command":"mkdir one"}',
    facts: { segments: [{ text: 'mkdir one', effect: 'edit' }] },
  } as unknown as OpenQuestion;
  const reported = workers.map((row) => ({ ...row, text: 'asks: approval of shell' }));
  const rows = (questionsBelow: readonly OpenQuestion[]) =>
    drawn({ chat: chatWith({ workers: reported, questionsBelow }) }, 120).filter((line) => line.startsWith('●'));
  expect([rows([question]), rows([])]).toEqual([
    [expect.stringMatching(/^● migrations {2}Creates one /)],
    [expect.stringMatching(/^● migrations {2}asks: approval of shell /)],
  ]);
});
