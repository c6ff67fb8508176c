import { expect, test } from 'vitest';

import { estimateShown, estimateTokens } from './content.ts';
import type { BlobHash } from './ids.ts';
import { tokensOfText } from './token-estimate.ts';

/** Characters per token of common tokenizers. The estimate may be above, and only slightly below. */
const samples: readonly { name: string; text: string; tokens: readonly [least: number, most: number] }[] = [
  { name: 'nothing', text: '', tokens: [0, 0] },
  {
    name: 'English prose',
    text: 'The session resumes where it stopped, and an open approval stays open until somebody answers it.',
    tokens: [18, 28],
  },
  {
    name: 'Chinese',
    text: '会话从停止的地方继续，未决的审批保持打开状态，直到有人回答为止。',
    tokens: [28, 42],
  },
  {
    name: 'Japanese',
    text: 'セッションは停止した場所から再開され、未回答の承認は開いたままです。',
    tokens: [25, 45],
  },
  {
    name: 'Russian',
    text: 'Сессия продолжается с того места, где она остановилась.',
    tokens: [12, 32],
  },
  {
    name: 'TypeScript',
    text: 'export const total = (rows: readonly Row[]) => rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0);',
    tokens: [27, 45],
  },
  {
    name: 'JSON',
    text: '{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"}},"required":["path"]}',
    tokens: [25, 60],
  },
  {
    name: 'base64',
    text: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    tokens: [50, 80],
  },
  { name: 'digits', text: '31415926535897932384626433832795', tokens: [11, 32] },
];

test.each(samples)(
  '[P7][C117] $name is estimated by its script and content',
  ({ text, tokens: [least, most] }) => {
    const estimate = tokensOfText(text);
    expect({ estimate, isWithin: estimate >= least && estimate <= most }).toEqual({ estimate, isWithin: true });
  },
);

test('[C117] indentation costs next to nothing', () => {
  expect(tokensOfText(`a${' '.repeat(40)}b`)).toBe(3);
});

test('[P10][C117] a blob is estimated by its opening and its length', () => {
  const chinese = { blob: 'x' as BlobHash, length: 10_000, preview: '会话从停止的地方继续' };
  expect(estimateTokens(chinese)).toBe(12_000);
  expect(estimateShown({ ...chinese, length: 100_000 })).toBe(36_000);
});

test.each([
  ['four letters a token', 'a'.repeat(400), 100],
  ['a last word counts too', 'word word', 3],
  ['two and a half digits a token', '1'.repeat(10), 4],
  ['a long word of letters alone is a word', 'a'.repeat(20), 5],
  ['a long word of letters and digits is encoded', 'a1'.repeat(10), 14],
  ['one letter less is a word', `${'a1'.repeat(9)}a`, 5],
  ['small and large letters are no code', 'aB'.repeat(50), 25],
  ['a symbol is nearly a token', '= = = =', 4],
  ['symbols that belong together are less', ');};', 2],
  ['punctuation of prose is as letters', '.,!?', 1],
  ['a tab after a blank is indentation', ' \t\t\t', 1],
  ['Greek', 'α'.repeat(10), 5],
  ['Hebrew', 'א'.repeat(4), 3],
  ['just below the punctuation', '\u1fff'.repeat(4), 3],
  ['typographic punctuation', '\u2000'.repeat(4), 4],
  ['just below Bopomofo', '\u30ff'.repeat(10), 10],
  ['Chinese', '\u3100'.repeat(10), 12],
])('[P7] %s', (_, text, tokens) => {
  expect(tokensOfText(text)).toBe(tokens);
});
