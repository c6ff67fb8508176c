import { expect, test } from 'vitest';

import { repositories } from './repositories.ts';

test('there are five kinds of repository with 20 turns or more each, and every one has calls that must ask', () => {
  expect(
    repositories.map(({ kind, turns }) => [
      kind,
      turns.length >= 20,
      turns.some(({ replies }) => replies.flat().some(({ mustAsk }) => mustAsk !== undefined)),
    ]),
  ).toEqual(['husky', 'LFS', 'linked worktree', 'Python', 'monorepo'].map((kind) => [kind, true, true]));
});

test('warm grants come from other turns than those that are measured', () => {
  for (const { earlier, turns } of repositories) {
    const measured = new Set(turns.flatMap(({ prompt, replies }) => [prompt, JSON.stringify(replies)]));
    const shared = earlier.filter(
      ({ prompt, replies }) => measured.has(prompt) || measured.has(JSON.stringify(replies)),
    );
    expect(shared).toEqual([]);
  }
});
