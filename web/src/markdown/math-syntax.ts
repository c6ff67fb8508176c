/** Math in Markdown: `$x$`, `$$x$$`, `\(x\)` and `\[x\]`. It becomes code of the language `math` until it is drawn. */
import type { MarkedExtension, TokenizerAndRendererExtension } from 'marked';

// A price or a variable isn't math: the text inside touches its dollars, and no letter or digit touches them outside.
const inline = /^(?:\$(?![\s$\d])((?:\\[\s\S]|[^\\$\n])+?)(?<!\s)\$(?![\p{L}\p{N}$])|\\\(([^\n]+?)\\\))/u;
const block = /^(?:\$\$\s*([\s\S]+?)\s*\$\$|\\\[\s*([\s\S]+?)\s*\\\])[ \t]*(?:\n|$)/;

const extension = (
  name: string,
  level: 'inline' | 'block',
  pattern: RegExp,
  start: (text: string) => number,
  html: (tex: string) => string,
): TokenizerAndRendererExtension => ({
  name,
  level,
  start: (text) => {
    const at = start(text);
    return at === -1 ? undefined : at;
  },
  tokenizer(text) {
    const found = pattern.exec(text);
    return found === null ? undefined : { type: name, raw: found[0], text: found[1] ?? found[2] ?? '' };
  },
  renderer: (token) => html(String(token['text'])),
});

export function mathSyntax(escaped: (text: string) => string): MarkedExtension {
  return {
    extensions: [
      extension(
        'math-block',
        'block',
        block,
        (text) => text.search(/^(?:\$\$|\\\[)/m),
        (tex) => `<pre><code class="language-math">${escaped(tex)}</code></pre>\n`,
      ),
      extension(
        'math-inline',
        'inline',
        inline,
        (text) => text.search(/(?<![\p{L}\p{N}$\\])\$(?![\s$\d])|\\\(/u),
        (tex) => `<code class="language-math">${escaped(tex)}</code>`,
      ),
    ],
  };
}
