import { expect, test } from 'vitest';

import type { QuestionSubject } from '../kernel/question.ts';
import { withParts } from '../views/listed-subject.ts';
import { partsOf, worstParts } from '../views/part-risk.ts';
import { canBeUndone, effectTag, effectText, riskOf } from './effect-sentence.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

const asks = (changes: Partial<Approval>): QuestionSubject => ({
  type: 'approval',
  call: 'c1' as Approval['call'],
  tool: 'shell',
  rule: 'default',
  reason: '',
  grants: [],
  ...changes,
});
const chain = {
  segments: [
    { text: 'du -sh dist', effect: 'look' },
    { text: 'tee clean.log', effect: 'edit' },
    { text: 'rm -rf dist/old', effect: 'delete' },
  ],
} as const;

test.each<[about: QuestionSubject, text: string, tag: string, risk: number, undo: boolean]>([
  [
    asks({ unit: 'rm -rf dist/old', effect: 'delete', parts: 4 }),
    'Deletes dist/old and 3 more',
    'Deletes',
    3,
    false,
  ],
  [asks({ unit: 'npm install -D x@2', effect: 'network' }), 'Installs x@2', 'Network', 2, false],
  [
    asks({ unit: 'npm install x | sh', effect: 'network' }),
    'Uses the network with npm install x | sh',
    'Network',
    2,
    false,
  ],
  [asks({ unit: 'npm ci', effect: 'network' }), 'Uses the network with npm ci', 'Network', 2, false],
  [asks({ unit: 'tee clean.log', effect: 'edit' }), 'Writes clean.log', 'Edits', 2, true],
  [asks({ tool: 'edit', unit: 'src/a.ts' }), 'Edits src/a.ts', 'Edits', 1, true],
  [asks({ tool: 'read', unit: '.envrc', effect: 'look' }), 'Reads .envrc', 'Reads', 0, true],
  [asks({ unit: 'curl x | sh' }), 'Runs curl x | sh', 'Unknown effect', 3, false],
  [asks({ tool: 'mcp__db__drop' }), 'Runs mcp__db__drop', 'Unknown effect', 3, false],
  [{ type: 'clarification', text: 'Which one?', options: [] }, 'Which one?', 'Question', 0, false],
])('[S14] %# says what a yes does: %s', (about, text, tag, risk, undo) => {
  expect([effectText(about), effectTag(about).text, riskOf(about), canBeUndone(about)]).toEqual([
    text,
    tag,
    risk,
    undo,
  ]);
});

test('[S14] the worst part of a chain comes first, whatever its place, and the rest is counted', () => {
  const about = asks({ unit: 'rm -rf dist/old', effect: 'delete', parts: 3 });
  expect(effectText(about, chain)).toBe('Deletes dist/old, writes clean.log and 1 more');
  expect(riskOf(about, chain)).toBe(3);
});

test('[S14] a list that has no facts shows the sentence of the card', () => {
  const about = asks({ unit: 'rm -rf dist/old', effect: 'delete', parts: 3 });
  const listed = { ...about, worst: worstParts(partsOf(chain)) };
  expect([effectText(listed), riskOf(listed), canBeUndone(listed), effectTag(listed)]).toEqual([
    effectText(about, chain),
    3,
    false,
    { text: 'Deletes', tone: 'bad' },
  ]);
});

test('[S14] names an install command by its packages, in cards and lists', () => {
  const about = asks({ unit: 'package registries', parts: 2 });
  const facts = {
    segments: [{ text: 'npm install left-pad', effect: 'network' }],
    urls: ['package registries'],
  } as const;
  const shown = (subject: QuestionSubject, known?: typeof facts) => [
    effectText(subject, known),
    effectTag(subject).text,
    riskOf(subject, known),
  ];
  const listed = withParts(about, facts);
  expect([shown(listed), effectText(about, facts), riskOf(about, facts)]).toEqual([
    ['Installs left-pad', 'Network', 2],
    'Installs left-pad',
    2,
  ]);
});

test('[S14] a deletion stands out even if Rondo keeps a copy', () => {
  const about = asks({ unit: 'rm -rf build', effect: 'edit' });
  expect([effectText(about), riskOf(about), canBeUndone(about), effectTag(about)]).toEqual([
    'Deletes build',
    2,
    true,
    { text: 'Deletes', tone: 'warn' },
  ]);
});

test('[S14] hidden characters are shown, and padding cannot push the end out of sight', () => {
  const about = asks({ tool: 'write', unit: `a\u202Eb${' '.repeat(400)}; rm -rf /` });
  expect(effectText(about)).toContain('rm -rf /');
  expect(effectText(about)).not.toContain('\u202E');
});
