import { describe, expect, test } from 'vitest';

import { applyEdits } from './apply-edits.ts';

const TEXT = 'const a = 1;\nconst b = 2;\nconst a2 = 1;\n';

describe('edits', () => {
  test('C32: replaces one place, or all of them with replace_all', () => {
    expect(applyEdits(TEXT, [{ old_text: 'b = 2', new_text: 'b = $& 3' }], '\n')).toEqual({
      type: 'edited',
      text: 'const a = 1;\nconst b = $& 3;\nconst a2 = 1;\n',
      replaced: 1,
      lines: [2],
    });
    expect(applyEdits(TEXT, [{ old_text: 'const', new_text: 'let', replace_all: true }], '\n')).toMatchObject({
      text: TEXT.replaceAll('const', 'let'),
      replaced: 3,
      lines: [1, 2, 3],
    });
  });

  test('C32: text that occurs several times is refused with the count and the lines', () => {
    expect(applyEdits(TEXT, [{ old_text: '= 1', new_text: '= 0' }], '\n')).toEqual({
      type: 'refused',
      code: 'ambiguous',
      message:
        'old_text occurs 2 times (lines 1, 3). Include more of the surrounding text, or set replace_all. Nothing was changed.',
    });
  });

  test('C32: text that is missing is refused with the nearest lines', () => {
    const refused = (old_text: string) => applyEdits(TEXT, [{ old_text, new_text: 'x' }], '\n');
    expect(refused('const b = 3;')).toMatchObject({
      code: 'no-match',
      message: expect.stringContaining('2: "const b = 2;"'),
    });
    expect(refused('  const b = 2;\n  const c')).toMatchObject({
      message: expect.stringContaining('different white space'),
    });
    expect(refused('zzzzzzzzz')).toMatchObject({ message: expect.stringContaining('No line is similar') });
  });

  test('C32: later edits see the result of earlier ones, and an edit that changes nothing is refused', () => {
    const edits = [
      { old_text: 'b = 2', new_text: 'c = 3' },
      { old_text: 'c = 3', new_text: 'd = 4' },
    ];
    expect(applyEdits(TEXT, edits, '\n')).toMatchObject({ text: TEXT.replace('b = 2', 'd = 4') });
    expect(applyEdits(TEXT, [{ old_text: 'b', new_text: 'b' }], '\n')).toMatchObject({ code: 'no-change' });
  });
});
