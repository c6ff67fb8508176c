// Screens of single states, stored as files next to this one. Change them only on purpose.
import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { QuestionId, SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { RondoClient } from '../ports/rondo-client.ts';
import { laterFacts } from '../testing/footer-facts.ts';
import { asciiLook, plainLook } from '../testing/plain-look.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { repeatedAttempts, troubleNow } from '../views/provider-trouble.ts';
import type { Status } from '../views/status.ts';
import type { Item } from '../views/transcript-item.ts';
import { failureWords } from '../wording/failure.ts';
import { asciiShapes } from './glyphs.ts';
import { asciiLines } from './lines/ascii-lines.ts';
import { failureCard } from './lines/failure-card.ts';
import { itemLines } from './lines/item-lines.ts';
import type { Look } from './lines/look.ts';
import { providerCard } from './lines/provider-card.ts';
import { queueLines, unsentLines } from './lines/queue-lines.ts';
import { reconnectCard } from './lines/reconnect-card.ts';
import { choiceIn, spokenRequest } from './lines/spoken-lines.ts';
import { footerLines } from './screen/footer.ts';
import { createInboxPicker } from './screen/inbox-picker.ts';
import { keyHelpLines } from './screen/key-help.ts';
import { keyHints } from './screen/key-hints.ts';
import { startLines } from './screen/start-lines.ts';
import { createTextViewer } from './screen/text-viewer.ts';
import { themeSample } from './screen/theme-sample.ts';
import { titleRule } from './screen/title-rule.ts';

// Times are local.
process.env['TZ'] = 'UTC';

const minute = 60_000;
const now = 10 * minute;

const chain: OpenQuestion = {
  id: 'q_1' as QuestionId,
  openedAt: now - 2 * minute,
  about: {
    type: 'approval',
    call: 'c1',
    tool: 'shell',
    rule: 'default',
    reason: 'No rule allows this, so a person decides.',
    grants: ['shell(rm -rf dist/old) [delete]', 'shell(tee clean.log) [edit]'],
  },
  args: '{"command":"rm -rf dist/old && du -sh dist | tee clean.log"}',
  facts: {
    segments: [
      { text: 'rm -rf dist/old', effect: 'delete' },
      { text: 'du -sh dist', effect: 'look' },
      { text: 'tee clean.log', effect: 'edit' },
    ],
  },
} as unknown as OpenQuestion;

const question: OpenQuestion = {
  id: 'q_2' as QuestionId,
  openedAt: now - 4 * minute,
  about: {
    type: 'clarification',
    text: 'How should old orders be rounded?',
    options: ['Down', 'To the nearest cent'],
  },
} as unknown as OpenQuestion;

const place = { changed: () => undefined, closed: () => undefined, onProblem: () => undefined };

const turn = {} as NonNullable<Status['turn']>;
const queue = {
  queue: {
    paused: false,
    prompts: [
      {
        prompt: 4,
        preview: 'Then update the changelog',
        delivery: 'queue',
        by: { type: 'person', name: 'terminal' },
      },
      { prompt: 5, preview: 'Open a pull request', delivery: 'queue', by: { type: 'person', name: 'ada' } },
      { prompt: 6, preview: 'Also cover refunds', delivery: 'steer', by: { type: 'person', name: 'terminal' } },
    ],
  },
  doing: [{ words: 'running shell: npm test' }],
} as unknown as Pick<Status, 'queue' | 'doing'>;

const entry = (title: string, questions: number, state: string, age: number): DirectoryEntry =>
  ({
    session: `ses_${title.length}`,
    title,
    questions,
    state,
    cwd: '/srv/lumen-shop',
    updatedAt: now - age,
    cost: 0.12,
    costIsKnown: true,
    turns: 1,
  }) as unknown as DirectoryEntry;

const recent = (words: string, row: DirectoryEntry) => ({ entry: row, branch: 'main', words });

const states: Readonly<Record<string, (look: Look) => readonly string[]>> = {
  'first start': (look) =>
    startLines(
      {
        version: '2.0',
        project: 'lumen-shop',
        branch: 'main',
        model: 'offline',
        folder: { files: 412, changedFiles: 0, isTrusted: false, agents: ['Claude Code'], hasSandbox: false },
        recent: [],
        total: 0,
      },
      look,
    ),
  'first start, little known': (look) =>
    startLines(
      {
        version: '2.0',
        project: 'lumen-shop',
        branch: undefined,
        model: 'claude-sonnet-5-5',
        folder: { agents: [], hasSandbox: true },
        recent: [],
        total: 0,
      },
      look,
    ),
  'start with sessions': (look) =>
    startLines(
      {
        version: '2.0',
        project: 'lumen-shop',
        branch: 'main',
        model: 'claude-sonnet-5-5',
        recent: [
          recent('Deletes dist/old, writes clean.log', entry('Clear out old builds', 1, 'waiting', 2 * minute)),
          recent('', {
            ...entry('Port checkout tests to Vitest', 0, 'running', 6 * minute),
            doing: 'running 214 tests',
          }),
          recent('Both themes pass.', entry('請求書のダークモード 👩‍👩‍👧', 0, 'idle', 8 * minute)),
        ],
        folder: { files: 412, changedFiles: 3, isTrusted: true, agents: [], hasSandbox: true },
        total: 1284,
      },
      look,
    ),
  'queue, one selected': (look) => queueLines({ ...queue, turn }, { editing: undefined, selected: 5 }, look),
  'not sent yet': (look) => unsentLines(['Then open a pull request'], look),
  reconnecting: (look) =>
    reconnectCard({ server: 'studio', since: now - 9000, unsent: 1, nextTryAt: now + 4000, now }, look),
  'provider down': (look) =>
    providerCard(
      {
        trouble: {
          attempts: 3,
          code: 'model-unavailable',
          message:
            'Calling anthropic/claude-sonnet-5-5 at https://api.anthropic.com failed: connection refused. Check the network.',
          until: now + 12_000,
        },
        model: 'claude-sonnet-5-5',
        others: ['gpt-6-sol', 'ollama/resonance-12b'],
        queued: 1,
        mostAttempts: 8,
      },
      look,
    ),
  'failed turn': (look) =>
    failureCard(
      {
        words: failureWords({
          code: 'model-rate-limited',
          message:
            'Calling anthropic/claude-sonnet-5-5 at https://api.anthropic.com failed: 429 slow down. Retry after 10:30. Tried 4 times.',
        }),
        at: now,
        durationMs: 9 * minute + 12_000,
        queued: 2,
      },
      [
        { key: '1', label: 'Retry', effect: 'Sends the prompt again. Finished steps stay.' },
        { key: '2', label: 'Switch model', effect: 'Retries with another model, such as gpt-6-sol.' },
        { key: '3', label: 'Stop here', effect: 'Keeps everything. The queue stays paused.' },
        { key: 'd', label: 'Details', effect: 'The whole error.' },
      ],
      0,
      look,
    ),
  inbox: (look) =>
    createInboxPicker(
      {
        requests: [
          { question, session: 'ses_2', title: 'Cart total is off by a cent', cwd: '/srv/lumen-shop' },
          { question: chain, session: 'ses_1', title: 'Clear out old builds', cwd: '/srv/lumen-shop' },
        ],
        snoozed: new Map([['q_3', now + 9 * minute]]),
        rondo: {} as RondoClient,
        open: () => undefined,
        say: () => undefined,
      },
      place,
    ).lines(look, 24, 30),
  'inbox, one put off': (look) => {
    const picker = createInboxPicker(
      {
        requests: [
          { question, session: 'ses_2', title: 'Cart total is off by a cent', cwd: '/srv/lumen-shop' },
          { question: chain, session: 'ses_1', title: 'Clear out old builds', cwd: '/srv/lumen-shop' },
        ],
        snoozed: new Map(),
        rondo: {} as RondoClient,
        open: () => undefined,
        say: () => undefined,
      },
      place,
    );
    picker.handle('z');
    return picker.lines(look, 24, 30);
  },
  themes: (look) => themeSample({ depth: 'none', name: 'dark' }, look),
  'a long text': (look) =>
    createTextViewer(
      {
        title: 'Pasted 10,000 lines',
        lines: () => Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`),
      },
      place,
    ).lines(look, 8, 8),
  keys: (look) => keyHelpLines(look, { file: '~/.rondo/terminal.json', terminal: ['truecolor', 'OSC 8', 'tmux'] }),
  'vim keys': (look) => [
    titleRule({ title: 'Cart total', label: '', vimMode: 'normal', waiting: 2, below: 0 }, look),
    titleRule({ title: 'Cart total', label: '', waiting: 0, below: 84 }, look),
  ],
  hints: (look) =>
    (['idle', 'turn', 'blocks', 'queue-selection', 'inbox', 'trouble', 'lost'] as const).map((state) =>
      keyHints(state, look),
    ),
  footer: (look) =>
    footerLines(
      {
        ...laterFacts,
        mode: { name: 'accept edits', tone: 'accept' },
        isModelFailing: true,
        server: 'https://studio.example',
        isLost: true,
      },
      look,
    ),
};

const frameAt = (width: number) => {
  const look = plainLook(width, { now });
  return Object.entries(states).map(([name, draw]) => `== ${name}\n${draw(look).join('\n')}\n`);
};

test.each([60, 120, 200])('[C126] each state %i columns wide', async (width) => {
  await expect(frameAt(width).join('\n')).toMatchFileSnapshot(`frames/states-${width}.txt`);
});

test('[C126] in ASCII, no state keeps a character that a plain terminal lacks', () => {
  const text = Object.values(states)
    .flatMap((draw) => asciiLines(draw(asciiLook(60)), asciiShapes))
    .join('\n');
  const beyond = text.replaceAll('\u001B', '').match(/[^\n -~]/gu);
  const strange = [...new Set(beyond)].join('');
  expect(strange).toBe('請求書のダークモド👩‍👧');
});

test('[C126] no state is wider than the terminal, from 40 to 300 columns', () => {
  for (const width of [40, 47, 80, 140, 300]) {
    const lines = frameAt(width).flatMap((frame) => frame.split('\n').slice(1));
    expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
  }
});

test('[C128] line mode says the effect, each part and each choice in words; numbers and letters choose', () => {
  expect(spokenRequest(chain, 'lumen-shop')).toEqual([
    'NEEDS YOU: deletes dist/old, writes clean.log',
    'Command with 3 parts, 3 not covered by a rule. Allowing it runs all of them.',
    "Part 1: rm -rf dist/old. DANGER: deletes dist/old. Can't be restored. No rule.",
    'Part 2, after success: du -sh dist. Only reads. No rule.',
    'Part 3, receives the output of part 2: tee clean.log. CAUTION: writes clean.log. No rule.',
    'Choices:',
    "  1 or y  allow once. Runs all 3 parts. Saves no rule. Asks for the word yes, because it can't be undone.",
    "  2 or s  allow this session. Saves shell(rm -rf dist/old) [delete] (deletes files) and shell(tee clean.log) [edit]. Until the session ends. Asks for the word yes, because it can't be undone.",
    '  3 or n  deny. Tells the agent no.',
    '  4 or r  deny with a reason.',
  ]);
  const chosen = (line: string) => choiceIn(chain, 'lumen-shop', line)?.label;
  expect(['1', 'Y', ' 3 ', 'r', '9', 'yes please'].map(chosen)).toEqual([
    'Allow once',
    'Allow once',
    'Deny',
    'Deny with a reason',
    undefined,
    undefined,
  ]);
});

test('[C126] a picture of a prompt shows as its size, and a path as a link where a terminal has them', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex').toString('base64');
  const prompt = {
    id: 'p',
    type: 'prompt',
    asked: {
      type: 'chat',
      text: 'What is wrong in [Image 1]?',
      attachments: [{ name: 'image-1.png', mediaType: 'image/png', content: png }],
    },
    by: { type: 'person', name: 'terminal' },
    taken: 'turn-started',
    at: now,
    receivedAt: now,
  } as unknown as Item;
  const session = 'ses_1' as SessionId;
  const lines = itemLines(prompt, session, plainLook(60, { now })).map((line) => line.trimEnd());
  expect(lines).toEqual(['❯ What is wrong in [Image 1]?', '  [Image 640×480, 24 B]']);
  const call = {
    id: 'c',
    type: 'call',
    tool: 'read',
    args: '{"path":"src/a.ts"}',
    facts: {},
    state: { type: 'succeeded', output: 'x', at: now, durationMs: 100 },
  } as unknown as Item;
  const link = (text: string, file: string) => `<${file}|${text}>`;
  expect(itemLines(call, session, plainLook(60, { now, link }))[0]).toContain('✓ Read <src/a.ts|src/a.ts>');
});

test('[C126] failed attempts are one line, and a card while they go on', () => {
  const failed = (id: string, message: string): Item =>
    ({ id, type: 'message', text: '', outcome: { type: 'failed', code: 'x', message } }) as unknown as Item;
  const waiting = (id: string, endedAt?: number): Item =>
    ({
      id,
      type: 'notice',
      about: { type: 'waiting', why: 'error-pause', until: now + 5000, ...optional({ endedAt }) },
    }) as unknown as Item;
  const ending = { id: 'e', type: 'ending', ending: { type: 'cancelled' } } as unknown as Item;
  const tries = [failed('1', 'one'), waiting('2', now), failed('3', 'two'), waiting('4')];
  expect(troubleNow(tries)).toEqual({ attempts: 2, code: 'x', message: 'two', until: now + 5000 });
  expect([...repeatedAttempts(tries)]).toEqual(['1', '2', '3', '4']);
  expect(troubleNow([...tries, ending])).toBeUndefined();
  expect([...repeatedAttempts([...tries, ending])]).toEqual(['1', '2', '4']);
  // A failure that nothing repeats is shown as it is.
  expect([...repeatedAttempts([failed('1', 'one'), ending])]).toEqual([]);
  expect(troubleNow([failed('1', 'one')])).toBeUndefined();
});
