import { expect, test } from 'vitest';

import { createDraftAttachments } from './draft-attachments.ts';
import { droppedPath, pastedText } from './pasted-text.ts';

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;

test('[C129] a paste loses its control characters and escape sequences, and keeps its lines', () => {
  const rude = paste('one\r\ntwo\rthree\t4\u0007\u001B[2J\u001B]0;title\u0007\u0000\u009B31m 日本語');
  expect(pastedText(rude)).toBe('one\ntwo\nthree    431m 日本語');
  expect(pastedText(paste('a\u001B[106;5ub'))).toBe('a\nb');
  expect(pastedText('typed')).toBeUndefined();
  expect(pastedText('\u001B[200~cut off')).toBe('cut off');
});

test('[C129] up to 20 lines stay in the draft; more become an attachment with a mark', () => {
  const draft = createDraftAttachments();
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n');
  expect(draft.addText(`${lines(20)}\n`)).toBe(`${lines(20)}\n`);
  const long = lines(10_000);
  expect([draft.addText(long), draft.addText(long), draft.addText('x'.repeat(9000))]).toEqual([
    '[Pasted 10,000 lines]',
    '[Pasted 10,000 lines, 2]',
    '[Pasted 9,000 characters]',
  ]);
  expect(draft.of('see [Pasted 10,000 lines] please')).toEqual([
    { name: 'pasted-1.txt', mediaType: 'text/plain', content: long },
  ]);
  expect(draft.expanded('/fix [Pasted 9,000 characters]!')).toBe(`/fix ${'x'.repeat(9000)}!`);
});

test('[C129] a mark is removed as a whole, and opened only while the cursor is on it', () => {
  const draft = createDraftAttachments();
  const text = 'line\n'.repeat(30);
  const mark = draft.addText(text);
  const line = `see ${mark} now`;
  const end = 4 + mark.length;
  expect([3, 4, end - 1, end].map((column) => draft.textAt(line, column)?.text)).toEqual([
    undefined,
    text,
    text,
    undefined,
  ]);
  expect([end - 1, end, end + 1].map((column) => draft.markBefore(line, column))).toEqual([
    undefined,
    mark,
    undefined,
  ]);
});

test('[C129] pictures are numbered, and a dropped path is recognized however a terminal writes it', () => {
  const draft = createDraftAttachments();
  const picture = { mediaType: 'image/png', base64: 'iVBO' };
  expect([draft.addPicture(picture), draft.addPicture(picture)]).toEqual(['[Image 1]', '[Image 2]']);
  expect(draft.of('what is [Image 2]?')).toEqual([
    { name: 'image-2.png', mediaType: 'image/png', content: 'iVBO' },
  ]);
  // A command gets no picture as text.
  expect(draft.expanded('/fix [Image 1]')).toBe('/fix [Image 1]');
  expect(
    ["'/a b/c.png'", '"/a b/c.png"', String.raw`/a\ b/c.png`, 'file:///a%20b/c.png ', '/a-b/c.JPG'].map(
      droppedPath,
    ),
  ).toEqual(['/a b/c.png', '/a b/c.png', '/a b/c.png', '/a b/c.png', '/a-b/c.JPG']);
  expect(['look at c.png', 'c.png\nd.png', '/a/b.txt'].map(droppedPath)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
