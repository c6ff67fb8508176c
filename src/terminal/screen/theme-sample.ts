/** A diff, a request and the states in the colors of a theme, so that it can be judged before it is chosen. */
import { diffLines } from '../lines/diff-lines.ts';
import { cut, padded } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import { createPaint, type PaintOptions } from '../theme.ts';

const edit = [
  { type: 'same', text: 'export function total(prices: Price[]) {', before: 7, after: 7 },
  { type: 'removed', text: '  return sum(prices);', before: 8 },
  { type: 'added', text: '  return round(sum(prices), 2);', after: 8 },
] as const;

export function themeSample(colors: PaintOptions, look: Look): readonly string[] {
  const paint = createPaint({}, colors);
  const { glyphs } = look;
  const sample: Look = { ...look, paint };
  return [
    paint.ink3('src/cart/total.ts  +1 −1'),
    ...diffLines(edit, 'total.ts', sample, false),
    '',
    `${paint.need(glyphs.need)} ${paint.strong('Deletes dist/old, writes clean.log')}`,
    `  2  && rm -rf dist/old   ${paint.fail('!!')} Deletes 412 files   ${paint.ink3('no rule')}`,
    `  4  |  tee clean.log     ${paint.warn('!')}  Creates clean.log   ${paint.done(glyphs.done)} shell(tee *)`,
    paint.selected(padded(`${glyphs.prompt} ${paint.strong('Y')}  Allow once`, Math.min(look.width, 60))),
    [
      `${paint.work(glyphs.working[0] ?? '')} working`,
      `${paint.done(glyphs.done)} finished`,
      `${paint.fail(glyphs.failed)} failed`,
      `${paint.ink3(glyphs.stopped)} stopped`,
      paint.accept(`${glyphs.mode} accept edits`),
      paint.auto(`${glyphs.mode} auto in sandbox`),
    ].join('  '),
  ].map((line) => cut(line, look.width));
}
