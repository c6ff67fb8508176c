import { expect, test } from 'vitest';

import { changedLines, changeLine, patchIn } from './lines/change-lines.ts';
import { wrapped } from './lines/fit.ts';
import { highlight } from './lines/highlight.ts';
import { safeLines, withoutOddLinks } from './lines/safe-lines.ts';
import { shapes } from './glyphs.ts';
import { createMarkdown } from './screen/markdown.ts';
import { visibleAfter } from './screen/smooth-text.ts';
import { createStreamedMarkdown } from './screen/streamed-markdown.ts';
import { colorDepthOf, createPaint } from './theme.ts';

const plain = createPaint({}, { depth: 'none' });
const painted = createPaint({}, { depth: 'sixteen' });

test('an edit shows what goes and what comes, and what stays around it once', () => {
  const args = JSON.stringify({ path: 'a', edits: [{ old_text: 'one\ntwo\nthree', new_text: 'one\n2\nthree' }] });
  const changes = changedLines('edit', args);
  expect(changes.map((change) => changeLine(change, { paint: plain }))).toEqual([
    '  one',
    '- two',
    '+ 2',
    '  three',
  ]);
  expect(changedLines('shell', '{"command":"ls"}')).toEqual([]);
  expect(changedLines('edit', 'no json')).toEqual([]);
});

test('output that is a patch is colored by its signs, other output is not one', () => {
  const patch = patchIn('diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same');
  expect(patch?.map((change) => changeLine(change, { paint: painted }))).toEqual([
    '\u001B[90mdiff --git a/x b/x\u001B[39m',
    '\u001B[90m--- a/x\u001B[39m',
    '\u001B[90m+++ b/x\u001B[39m',
    '\u001B[90m@@ -1 +1 @@\u001B[39m',
    '\u001B[31m- old\u001B[39m',
    '\u001B[32m+ new\u001B[39m',
    '  same',
  ]);
  expect(patchIn('- a list\n+ another')).toBeUndefined();
});

test('code is colored by families of languages, and never changed', () => {
  const code = 'const x = "a // b"; // why\nreturn call(x, 12);';
  expect(highlight(code, 'ts', painted)).toEqual([
    '\u001B[35mconst\u001B[39m x = \u001B[32m"a // b"\u001B[39m; \u001B[90m// why\u001B[39m',
    '\u001B[35mreturn\u001B[39m \u001B[34mcall\u001B[39m(x, \u001B[33m12\u001B[39m);',
  ]);
  for (const language of ['ts', 'py', 'go', 'sh', 'json', 'sql', 'diff', 'nothing', undefined])
    expect(highlight(code, language, plain).join('\n')).toBe(code);
});

test('[C126] a code block has no marks around it, and a link that no browser opens is only text', () => {
  const markdown = createMarkdown(plain, shapes);
  expect(markdown('One:\n\n```ts\nlet a;\n```\n\nTwo.', 40)).toEqual(['One:', '', '  let a;', '', 'Two.']);
  const link = (url: string) => `\u001B]8;;${url}\u001B\\name\u001B]8;;\u001B\\`;
  expect(
    ['https://x.test/a', 'file:///tmp/a', 'javascript:alert(1)', 'ms-msdt:/id'].map((url) =>
      withoutOddLinks(link(url)),
    ),
  ).toEqual([link('https://x.test/a'), link('file:///tmp/a'), link(''), link('')]);
});

test('Markdown that is streamed looks, at its end, as Markdown that came at once', () => {
  const text = '# One\n\nFirst *words*.\n\n```ts\nlet a;\n\nlet b;\n```\n\n- x\n- y\n\nLast.';
  const markdown = createMarkdown(plain, shapes);
  const streamed = createStreamedMarkdown(markdown);
  for (let end = 1; end < text.length; end += 3) streamed.lines(text.slice(0, end), 40);
  expect(streamed.lines(text, 40)).toEqual(markdown(text, 40));
});

test('[C126] a row that ends exactly with a style starts the next one without its blank', () => {
  const markdown = createMarkdown(painted, shapes);
  expect(markdown('streaming and **bold** things', 18)).toEqual([
    'streaming and \u001B[1mbold',
    '\u001B[1m\u001B[22mthings',
  ]);
  expect(wrapped(`streaming and ${painted.strong('bold')} things`, 18)).toEqual([
    'streaming and \u001B[1mbold',
    '\u001B[1m\u001B[22mthings',
  ]);
});

test('[C126] text in bursts is shown evenly, and all of it soon', () => {
  const shown: number[] = [];
  for (let at = 0; at < 1000 && shown.length < 40; shown.push(at)) at = visibleAfter(at, 1000);
  expect([shown[0], shown.at(-1), shown.length < 20]).toEqual([350, 1000, true]);
  expect(visibleAfter(10, 10)).toBe(10);
});

test('[C126] color follows what the terminal can do and what its owner wants', () => {
  const depths = [
    { TERM: 'dumb' },
    { TERM: 'xterm', NO_COLOR: '1' },
    { TERM: 'xterm' },
    { TERM: 'xterm-256color' },
    { COLORTERM: 'truecolor' },
  ];
  expect(depths.map(colorDepthOf)).toEqual(['none', 'none', 'sixteen', 'palette', 'full']);
  const orange = { user: '#ff8800' };
  const user = depths.map((env) =>
    createPaint(orange, { depth: colorDepthOf(env) })
      .user('x')
      .replaceAll('\u001B', '^'),
  );
  expect(user).toEqual(['x', 'x', '^[93mx^[39m', '^[38;5;214mx^[39m', '^[38;2;255;136;0mx^[39m']);
});

test('[S14] only styles and links reach the screen, whatever a name or a text contains', () => {
  const clipboard = '\u001B]52;c;cm0gLXJmIH4=\u0007';
  const drawn = [
    painted.ink2('plain'),
    `\u001B]8;;https://example.org\u0007link\u001B]8;;\u0007`,
    `${painted.fail('✗')} ada${clipboard}\u202E\u001B[2J\u009B2J\u200B · 12:00`,
  ];
  expect(safeLines(drawn)).toEqual([
    drawn[0],
    drawn[1],
    `${painted.fail('✗')} ada�]52;c;cm0gLXJmIH4=�‹U+202E›�[2J�2J‹U+200B› · 12:00`,
  ]);
  const right = ['שלום עולם', '👨‍👩‍👧 می‌خواهم', painted.strong('\u001B[38;2;1;2;3mx')];
  expect(safeLines(right)).toBe(right);
});
