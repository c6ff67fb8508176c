// Draws terminal screens as an animated SVG.

import type { IBufferCell, Terminal } from '@xterm/headless';

const cell = { width: 8.4, height: 18 };
const colors = ['#1b1d23', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'];

/** A screen, and the second at which it appears. */
export interface Frame {
  readonly at: number;
  readonly drawing: string;
}

interface Picture {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
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

export function drawingOf(terminal: Terminal): string {
  const { active } = terminal.buffer;
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
      const style = styleOf(at);
      const chars = at.getChars() || ' ';
      if (run?.style === style) run.text += chars;
      else {
        flush();
        run = { style, text: chars, from: column };
      }
    }
    flush();
  }
  return texts.join('\n');
}

function svg({ title, columns, rows }: Picture, style: string, drawing: string): string {
  const [width, height] = [24 + columns * cell.width, 24 + rows * cell.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#c8ccd4">
<title>${escaped(title)}</title>
${style}<rect width="100%" height="100%" rx="8" fill="#1b1d23"/>
${drawing}
</svg>
`;
}

function styleOf(at: IBufferCell): string {
  const color = at.isFgDefault() ? undefined : at.isFgRGB() ? hex(at.getFgColor()) : colors[at.getFgColor() % 8];
  return [
    color === undefined ? '' : ` fill="${color}"`,
    at.isBold() === 0 ? '' : ' font-weight="bold"',
    at.isDim() === 0 ? '' : ' fill-opacity="0.6"',
  ].join('');
}

function hex(color: number): string {
  return `#${color.toString(16).padStart(6, '0')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
