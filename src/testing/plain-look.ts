/** Drawing options for tests: no escape sequence is written, so that whole screens compare as text. */
import type { Look } from '../terminal/lines/look.ts';
import { asciiShapes, shapes } from '../terminal/glyphs.ts';
import { createPaint, type Paint } from '../terminal/theme.ts';

export function plainLook(width: number, given: Partial<Look> = {}): Look {
  return {
    width,
    paint: plainPaint,
    glyphs: shapes,
    prompt: shapes.prompt,
    self: 'terminal',
    now: 0,
    markdown: (text) => text.split('\n'),
    isOpen: () => false,
    openings: 0,
    textOf: (body) => (typeof body === 'string' ? body : body.preview),
    streamOf: () => undefined,
    workerName: (worker) => worker,
    ...given,
  };
}

export const asciiLook = (width: number) => plainLook(width, { glyphs: asciiShapes, prompt: asciiShapes.prompt });

export const plainPaint = Object.fromEntries(
  Object.keys(createPaint({}, { depth: 'none' })).map((name) => [name, (text: string) => text]),
) as unknown as Paint;
