import { expect, test } from 'vitest';

import type { TonePaint } from './terminal-style.ts';
import { createLightMarkdown } from './light-markdown.ts';

const tagged = Object.fromEntries(
  ['strong', 'quiet', 'good', 'warning', 'bad', 'accent'].map((tone) => [
    tone,
    (text: string) => `<${tone}:${text}>`,
  ]),
) as unknown as TonePaint;

test('a reply gets light formatting, also where pieces cut its marks apart', () => {
  const format = createLightMarkdown(tagged);
  const text =
    '# Result\n\nAll **214 tests** pass in `src/**/*.ts`, see [docs](https://x.test/a).\n- one\n  * two\n```ts\nconst **a** = 1;\n```\nend';
  const shown = (text.match(/.{1,5}/gs) ?? []).map((piece) => format.add(piece)).join('') + format.rest();
  expect(shown.split('\n')).toEqual([
    '<strong:Result>',
    '',
    'All <strong:214 tests> pass in <accent:src/**/*.ts>, see docs (https://x.test/a).',
    '• one',
    '  • two',
    '  <accent:const **a** = 1;>',
    'end',
  ]);
  expect(format.rest()).toBe('');
});
