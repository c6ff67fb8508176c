import { expect, test } from 'vitest';

import { shellApproval } from '../testing/shell-approval.ts';
import { effectHeading, isDangerous } from '../wording/effect-heading.ts';
import { effectText } from '../wording/effect-sentence.ts';
import { questionHeading } from '../wording/question.ts';
import { runsAll } from '../wording/card-choices.ts';
import { approvalPart } from './call-summary.ts';
import { judgedParts } from './covering-rule.ts';

test('[S14] a write by redirection is a row, and every title and count says the same', () => {
  const question = {
    about: {
      ...shellApproval,
      unit: 'write when.txt',
      effect: 'edit',
      parts: 3,
      covered: [
        { part: 'date', rule: 'reads' },
        { part: 'ls', rule: 'reads' },
      ],
    },
    facts: {
      segments: [
        { text: 'date', effect: 'look' },
        { text: 'ls', effect: 'look' },
      ],
      paths: [{ path: 'when.txt', access: 'write', inside: true }],
    },
  } as const;
  expect(judgedParts(question)).toEqual([
    { text: 'date', effect: 'look', dangers: [], allowing: 'reads' },
    { text: 'ls', effect: 'look', dangers: [], allowing: 'reads' },
    { text: 'write when.txt', effect: 'edit', dangers: [] },
  ]);
  expect([
    questionHeading(question),
    questionHeading({ about: question.about }),
    approvalPart(question),
    approvalPart({ about: question.about }),
    effectHeading(question),
    effectText(question.about, question.facts),
    effectText(question.about),
    runsAll(3),
  ]).toEqual([
    'Allow shell: write when.txt (1 of 3 parts)?',
    'Allow shell: write when.txt (1 of 3 parts)?',
    'write when.txt (1 of 3 parts)',
    'write when.txt (1 of 3 parts)',
    'Writes when.txt',
    'Writes when.txt and 2 more',
    'Writes when.txt and 2 more',
    'Runs all 3 parts.',
  ]);
});

test('[S14] one command that writes a file has two parts', () => {
  const facts = {
    segments: [{ text: 'printf x', effect: 'look' }],
    paths: [{ path: 'gen.txt', access: 'write', inside: true }],
  } as const;
  expect(effectHeading({ about: shellApproval, facts })).toBe('Writes gen.txt');
  expect(questionHeading({ about: shellApproval, facts })).toBe('Allow shell: write gen.txt (1 of 2 parts)?');
});

test('[S14] a title names a part that asks, however little is known of one that a rule allows', () => {
  const question = {
    about: {
      ...shellApproval,
      unit: 'npm test',
      effect: 'build',
      parts: 2,
      covered: [{ part: 'seq 1 2', rule: 'shell(seq*)' }],
    },
    facts: {
      segments: [
        { text: 'seq 1 2', effect: 'unknown' },
        { text: 'npm test', effect: 'build' },
      ],
    },
  } as const;
  expect([questionHeading(question), effectHeading(question), isDangerous(question)]).toEqual([
    'Allow shell: npm test (1 of 2 parts)?',
    'Runs npm test, runs seq 1 2',
    false,
  ]);
});

test('[S14] a part that the gate calls dangerous asks, and in a supervised session every part does', () => {
  const facts = {
    segments: [
      { text: 'ls', effect: 'look' },
      { text: 'tee .env', effect: 'edit' },
    ],
    dangers: [{ rule: 'secrets', severity: 'ask', reason: 'It writes secrets.', unit: 'tee .env' }],
  } as const;
  const covered = [{ part: 'tee .env', rule: 'shell(tee *)' }];
  expect(judgedParts({ about: { ...shellApproval, rule: 'secrets', unit: 'tee .env', covered }, facts })).toEqual([
    { text: 'ls', effect: 'look', dangers: [] },
    { text: 'tee .env', effect: 'edit', dangers: ['It writes secrets.'], asking: 'secrets' },
  ]);
  const { dangers: _dangers, ...plain } = facts;
  expect(judgedParts({ about: { ...shellApproval, rule: 'supervised', unit: 'ls' }, facts: plain })).toEqual([
    { text: 'ls', effect: 'look', dangers: [], asking: 'supervised' },
    { text: 'tee .env', effect: 'edit', dangers: [], asking: 'supervised' },
  ]);
});
