import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { capText, createOutputCapture } from './captured-output.ts';

describe('captured output', () => {
  test('C31: is whole up to its limit, and its two ends beyond', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,40}$/), { maxLength: 40 }),
        fc.integer({ min: 2, max: 300 }),
        (chunks, limit) => {
          const capture = createOutputCapture(limit);
          for (const chunk of chunks) capture.push(Buffer.from(chunk));
          const whole = chunks.join('');
          const { text, bytes, truncated } = capture.end();
          const half = Math.floor(limit / 2);
          expect(bytes).toBe(whole.length);
          expect(truncated).toBe(whole.length > half * 2);
          const ends = [whole.slice(0, half), whole.slice(-half)];
          expect(truncated ? [text.slice(0, half), text.slice(-half)] : [text]).toEqual(
            truncated ? ends : [whole],
          );
        },
      ),
    );
  });

  test('C31: a text is capped with a mark that says how much is missing', () => {
    expect(capText('short', 100)).toBe('short');
    const capped = capText(`BEGIN${'x'.repeat(1_000)}END`, 200);
    expect(capped.length).toBeLessThanOrEqual(200);
    expect(capped).toMatch(/^BEGINx+\n\n\[… 888 characters left out …\]\n\nx+END$/);
  });
});
