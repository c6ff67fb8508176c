import { Marked } from 'marked';
import { expect, test } from 'vitest';

import { mathSyntax } from './math-syntax.ts';

const marked = new Marked(mathSyntax((text) => text));
const formulas = (text: string) =>
  [...marked.parse(text, { async: false }).matchAll(/<code class="language-math">([\s\S]*?)<\/code>/g)].map(
    ([, tex]) => tex,
  );

test.each([
  ['The area is $\\pi r^2$.', ['\\pi r^2']],
  ['It is \\(a + b\\) here', ['a + b']],
  ['$$\n\\frac{a}{b}\n$$\n', ['\\frac{a}{b}']],
  ['\\[x = y\\]', ['x = y']],
  ['$x$ and $y_1$, both', ['x', 'y_1']],
  ['It costs $5 and $10', []],
  ['Set $HOME and $PATH', []],
  ['from $A/$B to US$C$', []],
  ['`$x$`', []],
  ['$ x $', []],
])('%s holds %j', (text, found) => {
  expect(formulas(text)).toEqual(found);
});
