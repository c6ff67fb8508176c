import { expect, test } from 'vitest';

import { htmlToText } from './html-to-text.ts';

test.for([
  ['blocks and headings', '<h2>One</h2><p>two<br>three</p><div>four</div>', '## One\n\ntwo\nthree\n\nfour'],
  [
    'lists and links',
    '<ul><li>a<li><a href="https://x.example/?a=1&amp;b">b</a></ul>',
    '- a\n- b (https://x.example/?a=1&b)',
  ],
  ['scripts, styles and comments', 'a<script>if (x < 1) {"</p>"}</script><style>p{}</style><!-- <b> -->b', 'ab'],
  ['entities', '&lt;b&gt; &#65;&#x42; &unknown; &amp;amp;', '<b> AB &unknown; &amp;'],
  ['attributes with angles', '<p title="a > b">text</p>', 'text'],
  ['broken markup', 'a < b and <b unclosed', 'a < b and'],
  ['an open script', 'a<script>never closed', 'a'],
] as const)('C33: %s', ([, html, text]) => {
  expect(htmlToText(html)).toBe(text);
});

test('C33: long input takes time in proportion', () => {
  const started = performance.now();
  htmlToText('<'.repeat(200_000));
  htmlToText('<a '.repeat(20_000));
  htmlToText('<script>'.repeat(20_000));
  expect(performance.now() - started).toBeLessThan(2_000);
});
