// Draws terminal screens as an animated SVG.

import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';

const cell = { width: 8.4, height: 18 };

/** What a terminal of that theme shows where a program names no color, or one of the sixteen. */
const schemes = {
  dark: {
    ground: '#0e0f11',
    ink: '#d8dade',
    colors: ['#34373d', '#ff8ba5', '#63cc97', '#e6b85c', '#8fb1ff', '#b79cf0', '#5fc4b6', '#d8dade'],
  },
  light: {
    ground: '#ffffff',
    ink: '#1d1f23',
    colors: ['#1d1f23', '#ad1a45', '#1b7248', '#835800', '#2a5bc4', '#6a45ab', '#15756b', '#686a72'],
  },
} as const;

export type Scheme = keyof typeof schemes;

/** A screen, and the second at which it appears. */
export interface Frame {
  readonly at: number;
  readonly drawing: string;
}

interface Picture {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  readonly scheme: Scheme;
}

/** Shows each frame until the next one, then starts over after `seconds`. */
export function animationOf(picture: Picture, frames: readonly Frame[], seconds: number): string {
  const share = (at: number) => `${((100 * at) / seconds).toFixed(2)}%`;
  const rules = frames.map(({ at }, index) => {
    const until = frames[index + 1]?.at;
    const before = index === 0 ? '' : `0%{visibility:hidden}`;
    const after = until === undefined ? '' : `${share(until)}{visibility:hidden}`;
    return `@keyframes f${index}{${before}${share(at)}{visibility:visible}${after}}#f${index}{visibility:hidden;animation:f${index} ${seconds}s step-end infinite}`;
  });
  // Readers who prefer reduced motion see the last frame.
  const still = `@media(prefers-reduced-motion:reduce){g{animation:none!important}#f${frames.length - 1}{visibility:visible}}`;
  const groups = frames.map(({ drawing }, index) => `<g id="f${index}">\n${drawing}\n</g>`);
  return svg(picture, `<style>${rules.join('')}${still}</style>\n`, groups.join('\n'));
}

export function drawingOf(terminal: Terminal, scheme: Scheme): string {
  const { active } = terminal.buffer;
  const grounds: string[] = [];
  const texts: string[] = [];
  for (let row = 0; row < terminal.rows; row += 1) {
    const line = active.getLine(active.baseY + row);
    if (line === undefined) continue;
    let run: { style: string; text: string; from: number } | undefined;
    const flush = () => {
      if (run === undefined || run.text.trim() === '') return;
      const x = (12 + run.from * cell.width).toFixed(1);
      const y = (26 + row * cell.height).toFixed(1);
      texts.push(`<text x="${x}" y="${y}"${run.style} xml:space="preserve">${escaped(run.text.trimEnd())}</text>`);
    };
    for (let column = 0; column < terminal.cols; column += 1) {
      const at = line.getCell(column);
      if (at === undefined || at.getWidth() === 0) continue;
      const style = styleOf(at, scheme);
      const chars = at.getChars() || ' ';
      if (run?.style === style) run.text += chars;
      else {
        flush();
        run = { style, text: chars, from: column };
      }
    }
    flush();
    grounds.push(...groundsOf(line, row, terminal.cols, scheme));
  }
  // Texts over all grounds: a ground covers more than its own row's height of glyphs.
  return [...grounds, ...texts].join('\n');
}

/** Bands, selections and the grounds of changed lines. */
function groundsOf(line: IBufferLine, row: number, columns: number, scheme: Scheme): readonly string[] {
  const drawn: string[] = [];
  let run: { readonly fill: string; readonly from: number } | undefined;
  for (let column = 0; column <= columns; column += 1) {
    const fill = column === columns ? undefined : groundAt(line.getCell(column), scheme);
    if (fill === run?.fill) continue;
    if (run !== undefined) {
      const x = (12 + run.from * cell.width).toFixed(1);
      const width = ((column - run.from) * cell.width).toFixed(1);
      drawn.push(
        `<rect x="${x}" y="${12 + row * cell.height}" width="${width}" height="${cell.height}" fill="${run.fill}"/>`,
      );
    }
    run = fill === undefined ? undefined : { fill, from: column };
  }
  return drawn;
}

function groundAt(at: IBufferCell | undefined, scheme: Scheme): string | undefined {
  if (at === undefined) return undefined;
  if (at.isInverse() !== 0) return colorOf(at, 'fg', scheme) ?? schemes[scheme].ink;
  return colorOf(at, 'bg', scheme);
}

/** Undefined for the terminal's own. */
function colorOf(at: IBufferCell, part: 'fg' | 'bg', scheme: Scheme): string | undefined {
  const isFg = part === 'fg';
  if (isFg ? at.isFgDefault() : at.isBgDefault()) return undefined;
  const color = isFg ? at.getFgColor() : at.getBgColor();
  return (isFg ? at.isFgRGB() : at.isBgRGB()) ? hex(color) : schemes[scheme].colors[color % 8];
}

function svg({ title, columns, rows, scheme }: Picture, style: string, drawing: string): string {
  const [width, height] = [24 + columns * cell.width, 24 + rows * cell.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="${schemes[scheme].ink}">
<title>${escaped(title)}</title>
${style}<rect width="100%" height="100%" rx="8" fill="${schemes[scheme].ground}"/>
${drawing}
</svg>
`;
}

function styleOf(at: IBufferCell, scheme: Scheme): string {
  const color = at.isInverse() === 0 ? colorOf(at, 'fg', scheme) : schemes[scheme].ground;
  return [
    color === undefined ? '' : ` fill="${color}"`,
    at.isBold() === 0 ? '' : ' font-weight="bold"',
    at.isDim() === 0 ? '' : ' fill-opacity="0.7"',
    at.isUnderline() === 0 ? '' : ' text-decoration="underline"',
  ].join('');
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
