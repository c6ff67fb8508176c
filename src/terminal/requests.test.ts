// Requests as they are drawn in the design, stored as files next to this one. Change them only on purpose.
import { visibleWidth } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import type { QuestionSubject } from '../kernel/question.ts';
import { clearOutCommand, clearOutRequest } from '../testing/clear-out-request.ts';
import { plainLook } from '../testing/plain-look.ts';
import type { AskedFacts, OpenQuestion } from '../views/open-question.ts';
import { cardChoices } from '../wording/card-choices.ts';
import { isDangerous } from '../wording/effect-heading.ts';
import { newCardState, type CardState } from './chat/card-state.ts';
import { cardBody } from './lines/card-body.ts';
import { cardLines, type Card } from './lines/card-lines.ts';
import type { Look } from './lines/look.ts';
import { keyHints, type KeyState } from './screen/key-hints.ts';

const minute = 60_000;
const now = 10 * minute;

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

function approval(
  tool: string,
  args: unknown,
  about: Partial<Approval> = {},
  facts: AskedFacts = {},
): OpenQuestion {
  return {
    id: 'q_1',
    openedAt: now - 2 * minute,
    about: {
      type: 'approval',
      call: 'c1',
      tool,
      rule: 'default',
      reason: 'No rule allows this, so a person decides.',
      grants: [],
      ...about,
    },
    args: JSON.stringify(args),
    facts,
  } as OpenQuestion;
}

const chain = approval(
  'shell',
  { command: clearOutCommand },
  {
    title: 'The deploy step copies all of dist. Old bundles make it 1.2 GB.',
    unit: 'rm -rf dist/old',
    covered: clearOutRequest.about.covered,
    grants: ['shell(rm -rf dist/old) [delete]', 'shell(tee clean.log)'],
  },
  clearOutRequest.facts,
);

const writer = `import type { Database, Row } from './types.ts';

export class Writer {
  async write(rows: Row[]) {
    for (const row of rows) {
      await this.db.insert(row);
    }
  }
}
`;
const edit = approval(
  'edit',
  {
    path: 'src/ingest/writer.ts',
    edits: [
      {
        old_text: '    for (const row of rows) {\n      await this.db.insert(row);\n',
        new_text:
          '    for (const batch of chunk(rows, 500)) {\n      await this.db.transaction((t) => t.insertMany(batch));\n',
      },
    ],
  },
  { unit: 'src/ingest/writer.ts', grants: ['edit(src/ingest/**)'] },
  { paths: [{ path: 'src/ingest/writer.ts', access: 'write', inside: true }] },
);

const hosted = approval(
  'edit',
  {
    changes: [
      { path: 'src/ingest/writer.ts', before: 'a\nb\n', after: 'a\nc\n' },
      { path: 'test/ingest/writer.test.ts', after: 'new\n' },
    ],
  },
  { request: 'r1', unit: 'src/ingest/writer.ts', parts: 2 },
);

const long = approval(
  'shell',
  {
    command: [...Array.from({ length: 14 }, (_, index) => `du -sh part-${index + 1}`), 'rm -rf dist/old'].join(
      '; ',
    ),
  },
  { unit: 'rm -rf dist/old' },
  {
    segments: [
      ...Array.from({ length: 14 }, (_, index) => ({ text: `du -sh part-${index + 1}`, effect: 'look' as const })),
      { text: 'rm -rf dist/old', effect: 'delete' },
    ],
  },
);

const question = {
  id: 'q_2',
  openedAt: now - 500,
  about: {
    type: 'clarification',
    text: 'Which files does "the config" mean?',
    options: ['config/app.ts', 'config/deploy.yaml', 'vite.config.ts', 'All three'],
  },
} as unknown as OpenQuestion;

interface Given {
  readonly alike?: readonly OpenQuestion[];
  readonly before?: string;
  readonly state?: Partial<CardState>;
  readonly place?: Card['place'];
  readonly from?: string;
  readonly more?: number;
  readonly keys?: KeyState;
  readonly height?: number;
  readonly room?: number;
}

function drawn(open: OpenQuestion, look: Look, given: Given = {}): readonly string[] {
  const { alike = [], before, from = 'Clear out old builds · 2m', place = 'card', more = 0 } = given;
  const choices = cardChoices(open, 'lumen-shop', alike);
  const state = { ...newCardState(open.id, { isDangerous: isDangerous(open), choices }), ...given.state };
  const inner = { ...look, width: look.width - 4 };
  const { isSideBySide, file } = state;
  const { lines } = cardLines(
    {
      question: open,
      choices,
      state,
      from,
      more,
      place,
      body: cardBody(open, { before, isSideBySide, file }, inner),
      height: given.height ?? 21,
      room: given.room ?? 40,
    },
    look,
  );
  return given.keys === undefined ? lines : [...lines, '', keyHints(given.keys, look)];
}

const states: Readonly<Record<string, (look: Look) => readonly string[]>> = {
  'a risky chain': (look) => drawn(chain, look, { keys: 'danger' }),
  'the first of two presses': (look) =>
    drawn(chain, look, { state: { selected: 'y', armed: { key: 'y', at: now - 500 } } }),
  'the key may still be held': (look) =>
    drawn(chain, look, { state: { selected: 'y', armed: { key: 'y', at: now + 600 } } }),
  'more parts than fit': (look) => drawn(long, look),
  'an edit, with two more like it': (look) =>
    drawn(edit, look, { alike: [edit, edit], before: writer, keys: 'edit-request', from: 'Batched writes · now' }),
  'the second of two files': (look) => drawn(hosted, look, { state: { file: 1 }, from: 'Codex · now' }),
  'a question': (look) => drawn(question, look, { keys: 'question', from: 'Tidy up the config · now' }),
  'a question, the last answer selected': (look) => drawn(question, look, { state: { selected: '0' } }),
  'while the user types': (look) => drawn(question, look, { place: 'prompt', more: 2, from: 'migrations · 4m' }),
  folded: (look) => drawn(chain, look, { place: 'folded' }),
};

test.each([60, 120, 200])('[C128] requests %i columns wide', async (width) => {
  const look = plainLook(width, { now });
  const frames = Object.entries(states).map(([name, draw]) => `== ${name}\n${draw(look).join('\n')}\n`);
  await expect(frames.join('\n')).toMatchFileSnapshot(`frames/requests-${width}.txt`);
});

test('[C128] no request is wider than the terminal, from 40 to 300 columns', () => {
  for (const width of [40, 47, 80, 140, 300]) {
    const lines = Object.values(states).flatMap((draw) => draw(plainLook(width, { now })));
    expect(lines.filter((line) => visibleWidth(line) > width)).toEqual([]);
  }
});

const set = approval(
  'shell',
  { command: 'du -sh dist && rm -rf dist/old' },
  { grants: ['edits [edit]'] },
  {
    segments: [
      { text: 'du -sh dist', effect: 'look' },
      { text: 'rm -rf dist/old', effect: 'edit' },
    ],
  },
);

test('[C128] every choice stays on a low and narrow screen; one whose rules don’t fit isn’t offered', () => {
  const at = (width: number, room: number) =>
    drawn(set, plainLook(width, { now }), { height: Math.min(room, 18), room });
  for (const [width, room] of [
    [40, 22],
    [60, 22],
    [80, 18],
    [120, 21],
  ] as const) {
    const lines = at(width, room);
    expect(lines.length).toBeLessThanOrEqual(room);
    expect(lines.at(-1)).toContain('N  Deny');
    expect(lines.join('\n')).toContain('A  Always allow');
    expect(lines.join(' ').match(/edits \[edit\]/g)).toHaveLength(2);
  }
  const low = at(40, 12);
  expect(low.length).toBeLessThanOrEqual(12);
  expect(low.slice(-2).join('\n')).toMatch(/N {2}Deny.*\n.*More choices on a larger screen/);
  expect(low.join('\n')).not.toContain('Always allow');
});

test('[C128] what a set covers is left out where it would push parts of the request out of sight', () => {
  const covers = 'echo > FILE';
  const parts = ['du -sh dist', 'mkdir out', 'cp -r dist out', 'npx vitest run'];
  const several = approval(
    'shell',
    { command: parts.join(' && ') },
    { grants: ['edits [edit]', 'checks [build]'] },
    { segments: parts.map((text, index) => ({ text, effect: index === 0 ? 'look' : 'edit' })) },
  );
  const at = (height: number) => drawn(several, plainLook(60, { now }), { height, room: 40 }).join('\n');
  for (const part of parts) expect(at(20)).toContain(part);
  expect(at(20)).not.toContain('more part');
  expect(at(20).replaceAll(/\n▌ */g, ' ')).not.toContain(covers);
  expect(at(40).replaceAll(/\n▌ */g, ' ')).toContain(covers);
});

test('[C128] a question with more answers than rows shows those around the selected one', () => {
  const options = Array.from({ length: 30 }, (_, index) => `Answer ${index + 1}`);
  const many = { ...question, about: { ...question.about, options } } as OpenQuestion;
  const lines = drawn(many, plainLook(60, { now }), { state: { selected: '17' }, height: 12, room: 12 });
  expect(lines.length).toBeLessThanOrEqual(12);
  const text = lines.join('\n');
  expect(text).toContain('❯ 17  Answer 17');
  expect(text).toMatch(/\d+ more above/);
  expect(text).toMatch(/\d+ more below/);
});

test('[C128] a long answer wraps below itself, whole, at each width', () => {
  const options = ['Round each line of the invoice, as the tax office wants it, and keep the old totals', 'No'];
  const wordy = { ...question, about: { ...question.about, options } } as OpenQuestion;
  for (const width of [40, 60, 120]) {
    const lines = drawn(wordy, plainLook(width, { now }), {});
    const words = lines.map((line) => line.replace(/^▌ ?(?:❯ )?/, '').trim()).join(' ');
    expect(words).toContain(`1  ${options[0]}`);
    expect(lines.filter((line) => line === '▌')).toHaveLength(1);
  }
});
