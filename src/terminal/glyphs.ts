/** Every state has a shape. ASCII replaces them where a terminal can't show them or disagrees on their width. */
import type { Environment } from '../ports/environment.ts';

export interface Glyphs {
  readonly need: string;
  readonly working: readonly string[];
  readonly done: string;
  readonly failed: string;
  readonly idle: string;
  readonly stopped: string;
  readonly unknown: string;
  readonly prompt: string;
  readonly steer: string;
  readonly bar: string;
  readonly mode: string;
  readonly more: string;
  readonly dot: string;
  readonly rule: string;
  readonly minus: string;
  readonly bullet: string;
  readonly down: string;
}

export const shapes: Glyphs = {
  need: '●',
  working: ['◐', '◓', '◑', '◒'],
  done: '✓',
  failed: '✗',
  idle: '○',
  stopped: '■',
  unknown: '◌',
  prompt: '❯',
  steer: '↳',
  bar: '▌',
  mode: '»',
  more: '⋯',
  dot: '·',
  rule: '─',
  minus: '−',
  bullet: '•',
  down: '↓',
};

export const asciiShapes: Glyphs = {
  need: '*',
  working: ['|', '/', '-', '\\'],
  done: 'v',
  failed: 'x',
  idle: 'o',
  stopped: '#',
  unknown: '?',
  prompt: '>',
  steer: '->',
  bar: '|',
  mode: '>>',
  more: '...',
  dot: '-',
  rule: '-',
  minus: '-',
  bullet: '*',
  down: 'v',
};

/** ASCII if asked for, or if the locale isn't UTF-8. A locale that isn't set says nothing. */
export function glyphsFor({ isAscii, env }: { readonly isAscii: boolean; readonly env: Environment }): Glyphs {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  const isNarrow = locale !== '' && !/utf-?8/i.test(locale);
  return isAscii || isNarrow ? asciiShapes : shapes;
}
