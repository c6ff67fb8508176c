import { expect, test } from 'vitest';

import type { Effect } from '../kernel/effect.ts';
import type { CallId, QuestionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { questionHeading, questionLine } from './question.ts';

const asked = (unit: string | undefined, tool = 'shell'): OpenQuestion => ({
  id: 'q_1' as QuestionId,
  openedAt: 0,
  about: {
    type: 'approval',
    call: 'c1' as CallId,
    tool,
    rule: 'default',
    reason: 'No rule covers it.',
    ...optional({ unit }),
    grants: [],
  },
});

const parts = (...texts: readonly string[]) => ({
  segments: texts.map((text) => ({ text, effect: effectOf(text) })),
});

function effectOf(text: string): Effect {
  const effects: Readonly<Record<string, Effect>> = {
    ls: 'look',
    tee: 'edit',
    rm: 'delete',
    git: 'send',
    curl: 'network',
  };
  return effects[text.split(' ')[0] ?? ''] ?? 'build';
}

test('[S14] the heading names the most dangerous part and how many parts there are, wherever it stands', () => {
  const question = { ...asked('ls -l'), facts: parts('ls -l', 'tee log', 'rm -rf dist', 'git push') };
  expect(questionHeading(question)).toBe('Allow shell: git push (1 of 4 parts)?');
});

test('[S14] a part that the gate calls dangerous comes before one that only looks so', () => {
  const dangers = [{ rule: 'pipe-to-shell', severity: 'ask', reason: 'runs a download', unit: 'sh' }] as const;
  const question = { ...asked('sh'), facts: { ...parts('curl x', 'sh'), dangers } };
  expect(questionHeading(question)).toBe('Allow shell: sh (1 of 2 parts)?');
});

test('a file is named with the tool that changes it', () => {
  expect(questionLine(asked('notes.md', 'write'))).toBe('q_1: Allow write on notes.md? No rule covers it.');
});

test('[S14] text that would hide or reorder a heading is visible in it', () => {
  expect(questionHeading(asked('ls \u202E\nrm'))).toBe('Allow shell: ls ‹U+202E›⏎rm?');
});
