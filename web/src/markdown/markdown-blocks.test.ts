import { expect, test } from 'vitest';

import { markdownBlocks } from './markdown-blocks.ts';

test('paragraphs stand for themselves; code and lists are not cut at their empty lines', () => {
  const text = 'One.\n\n```ts\na\n\nb\n```\n\n1. x\n\n2. y\n';
  expect(markdownBlocks(text)).toEqual(['One.', '```ts\na\n\nb\n```', '1. x\n\n2. y\n']);
});

test('while text comes in, only the last piece changes', () => {
  const text = 'First.\n\nSecond with `code`.\n\n```\nlong\n\ncode\n```\n\nLast.';
  let before: readonly string[] = [];
  for (let end = 1; end <= text.length; end += 1) {
    const blocks = markdownBlocks(text.slice(0, end));
    const settled = before.slice(0, -1);
    expect(blocks.slice(0, settled.length)).toEqual(settled);
    before = blocks;
  }
});
