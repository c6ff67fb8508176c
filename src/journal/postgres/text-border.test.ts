import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { fromJson, fromText, toJson, toText } from './text-border.ts';

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

test('[C151] any text comes back as it was, and the server only sees what it accepts', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const sent = toText(text);
      expect(sent.isWellFormed() && !sent.includes('\0')).toBe(true);
      expect(fromText(sent)).toBe(text);
    }),
  );
});

test('[C151] any value comes back from jsonb as it was, without an escape that jsonb refuses', () => {
  fc.assert(
    fc.property(fc.array(anyText), fc.dictionary(fc.constantFrom('a', 'b'), anyText), (list, object) => {
      const sent = toJson({ list, object });
      expect(/(^|[^\\])(\\\\)*\\u(0000|d[89a-f])/.test(sent)).toBe(false);
      expect(fromJson(sent)).toEqual({ list, object: { ...object } });
    }),
  );
});

test('[C151] sends ordinary text unchanged', () => {
  expect(toText('ünïcode 🎈 " \\ \n')).toBe('ünïcode 🎈 " \\ \n');
  expect(toText('\0 \ud800 \u001a')).toBe('\u001a0000 \u001ad800 \u001a001a');
});
