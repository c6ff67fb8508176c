import { noPaint, type TonePaint, type Terminal } from '../wording/terminal-style.ts';
import { printable, printableBetween } from '../views/printable.ts';
import type { Environment } from '../ports/environment.ts';

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Uses colors only on a terminal: not in a pipe, not with NO_COLOR, not if TERM is dumb. */
export function terminalOf(stream: OutputStream, env: Environment = process.env): Terminal {
  const isTerminal = stream.isTTY === true;
  const isColored = isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return {
    isTerminal,
    // A terminal that doesn't know its width reports 0.
    width: isTerminal ? stream.columns || 80 : Infinity,
    paint: isColored ? colored : noPaint,
  };
}

const inColor = (code: number, end: number) => (text: string) => `\u001B[${code}m${text}\u001B[${end}m`;

const colored: TonePaint = {
  strong: inColor(1, 22),
  quiet: inColor(2, 22),
  good: inColor(32, 39),
  warning: inColor(33, 39),
  bad: inColor(31, 39),
  accent: inColor(36, 39),
};

/** Makes lines safe that were painted for this terminal. A pipe gets no colors, not even those that a text brings. */
export function coloredText(text: string, { paint }: Pick<Terminal, 'paint'>): string {
  return paint === noPaint ? printable(text) : printableBetween(text, OWN_STYLES);
}

// Hostile text can contain them too, but they hide nothing.
// oxlint-disable-next-line no-control-regex -- styles start with a control character
const OWN_STYLES = /(\u001B\[(?:1|2|22|31|32|33|36|39)m)/;
