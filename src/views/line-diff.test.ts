import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lineDiff } from '../kernel/line-diff.ts';
import { parseUnifiedDiff, withContext } from './line-diff.ts';

describe('the difference of two texts', () => {
  test('names lines by their places before and after', () => {
    expect(lineDiff('a\nb\nc\n', 'a\nB\nc\nd\n')).toEqual([
      { type: 'same', text: 'a', before: 1, after: 1 },
      { type: 'removed', text: 'b', before: 2 },
      { type: 'added', text: 'B', after: 2 },
      { type: 'same', text: 'c', before: 3, after: 3 },
      { type: 'added', text: 'd', after: 4 },
    ]);
  });

  test('holds both texts, whatever they are', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before, after);
        const without = (type: string) =>
          lines
            .filter((line) => line.type !== type)
            .map((line) => `${line.text}\n`)
            .join('');
        expect([without('added'), without('removed')]).toEqual([before, after]);
      }),
    );
  });

  test('shows a few lines round each change and marks what it leaves out', () => {
    const before = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    const after = before.with(10, 'changed');
    const diff = withContext(lineDiff(before.join('\n'), after.join('\n')), 1);
    expect(diff.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'hunk ⋯',
      'same line 9',
      'removed line 10',
      'added changed',
      'same line 11',
      'hunk ⋯',
    ]);
  });
});

test('a unified diff is read file by file', () => {
  const text = `diff --git a/new.txt b/new.txt
new file mode 100644
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+hello
diff --git a/old.ts b/renamed.ts
similarity index 90%
rename from old.ts
rename to renamed.ts
--- a/old.ts
+++ b/renamed.ts
@@ -4,2 +4,2 @@ function f() {
 same
---x
+y
`;
  expect(parseUnifiedDiff(text)).toEqual([
    {
      path: 'new.txt',
      state: 'added',
      added: 1,
      removed: 0,
      lines: [
        { type: 'hunk', text: '' },
        { type: 'added', text: 'hello', after: 1 },
      ],
    },
    {
      path: 'renamed.ts',
      was: 'old.ts',
      state: 'renamed',
      added: 1,
      removed: 1,
      lines: [
        { type: 'hunk', text: 'function f() {' },
        { type: 'same', text: 'same', before: 4, after: 4 },
        { type: 'removed', text: '--x', before: 5 },
        { type: 'added', text: 'y', after: 5 },
      ],
    },
  ]);
});
