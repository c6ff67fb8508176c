import { expect, test } from 'vitest';

import { matchTarget, type TargetMatch } from './match-target.ts';

const files = ['src/parser.ts', 'src/a/index.ts', 'src/b/index.ts', 'README.md', 'src/parse-rule.ts'];

test.each<[string, TargetMatch]>([
  ['src/parser.ts', { type: 'found', path: 'src/parser.ts' }],
  ['./README.md', { type: 'found', path: 'README.md' }],
  ['parser.ts', { type: 'found', path: 'src/parser.ts' }],
  ['readme.md', { type: 'found', path: 'README.md' }],
  ['parsre.ts', { type: 'found', path: 'src/parser.ts' }],
  ['index.ts', { type: 'unsure', why: 'several', candidates: ['src/a/index.ts', 'src/b/index.ts'] }],
  ['parsing.ts', { type: 'unsure', why: 'unlike', candidates: ['src/parser.ts'] }],
  ['server/http.go', { type: 'none' }],
])('[C104] %s', (named, match) => {
  expect(matchTarget(named, files)).toEqual(match);
});
