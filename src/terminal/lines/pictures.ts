/**
 * Pictures of the conversation, in terminals with kitty's or iTerm2's graphics protocol. Others show their size
 * instead. Both get PNG only: kitty's takes no other format, and for iTerm2's they are cut into rows.
 *
 * Only lines that come from here may carry such a sequence to the screen: text from elsewhere is made safe.
 */
import { allocateImageId, getCapabilities, getImageDimensions, renderImage } from '@earendil-works/pi-tui';

import type { Environment } from '../../ports/environment.ts';
import { cellHeight, cellWidth, pictureStrips, type CellSize } from './picture-strips.ts';

interface DrawnPicture {
  /** Stays the same while the picture does. */
  readonly key: string;
  readonly mediaType: string;
  readonly base64: string;
}

export interface Pictures {
  /** A picture of at most twelve rows. Undefined if this terminal can't show it, or not yet. */
  lines(picture: DrawnPicture, width: number): readonly string[] | undefined;
  isOwn(line: string): boolean;
  /** While it is true, lines are worth asking for again. */
  readonly isReading: boolean;
}

interface PicturesOptions {
  readonly env: Environment;
  /** Called when a picture can be drawn that couldn't before. */
  readonly changed: () => void;
}

const mostRows = 12;
const mostColumns = 60;
const mostCharacters = 8_000_000;

export function createPictures({ env, changed }: PicturesOptions): Pictures {
  const drawn = new Map<string, { readonly size: string; readonly lines: readonly string[] | undefined }>();
  const ids = new Map<string, number>();
  let own: ReadonlySet<string> = new Set();
  const reading = new Map<string, string>();
  let protocol: 'kitty' | 'iterm2' | 'none' | undefined;

  function keep(key: string, size: string, lines: readonly string[] | undefined): void {
    drawn.set(key, { size, lines });
    // Pictures may share a strip.
    own = new Set([...drawn.values()].flatMap((each) => each.lines ?? []).filter((line) => line !== ''));
  }
  async function read({ key, base64 }: DrawnPicture, cells: CellSize): Promise<void> {
    const size = sizeOf(cells);
    if (reading.get(key) === size) return;
    reading.set(key, size);
    const strips = await pictureStrips(Buffer.from(base64, 'base64'), cells).catch(() => undefined);
    // The screen may have another width by now.
    if (reading.get(key) !== size) return;
    reading.delete(key);
    keep(
      key,
      size,
      strips?.map((strip) => `  ${inline(strip, cells.columns)}`),
    );
    changed();
  }

  return {
    lines(picture, width) {
      const { key, mediaType, base64 } = picture;
      if (mediaType !== 'image/png' || base64.length > mostCharacters || !isBase64.test(base64)) return undefined;
      const pixels = getImageDimensions(base64, mediaType);
      if (pixels === null) return undefined;
      protocol ??= protocolOf(env);
      const columns = Math.max(1, Math.min(width - 4, mostColumns));
      const known = drawn.get(key);
      if (protocol === 'iterm2') {
        const cells = cellsOf(pixels, columns);
        if (known?.size === sizeOf(cells)) return known.lines;
        void read(picture, cells);
        return undefined;
      }
      if (known?.size === `${columns}`) return known.lines;
      if (protocol === 'none') return undefined;
      const imageId = ids.get(key) ?? allocateImageId();
      ids.set(key, imageId);
      const rendered = renderImage(base64, pixels, {
        maxWidthCells: columns,
        maxHeightCells: mostRows,
        imageId,
        moveCursor: false,
      });
      if (rendered === null) return undefined;
      const lines = [`  ${rendered.sequence}`, ...Array.from({ length: rendered.rows - 1 }, () => '')];
      keep(key, `${columns}`, lines);
      return lines;
    },
    isOwn: (line) => own.has(line),
    get isReading() {
      return reading.size > 0;
    },
  };
}

/** The drawing library turns iTerm2's off on the whole screen, where it would draw a picture at once. */
function protocolOf(env: Environment): 'kitty' | 'iterm2' | 'none' {
  if (getCapabilities().images === 'kitty') return 'kitty';
  // They take the sequence for themselves, or pass on a part of it.
  const isInside = ['TMUX', 'STY', 'ZELLIJ'].some((name) => env[name] !== undefined);
  // A shell on another machine gets only the second.
  const isITerm = env['TERM_PROGRAM'] === 'iTerm.app' || env['LC_TERMINAL'] === 'iTerm2';
  return isITerm && !isInside && !/^(tmux|screen)/.test(env['TERM'] ?? '') ? 'iterm2' : 'none';
}

/** Small pictures aren't enlarged. */
function cellsOf({ widthPx, heightPx }: { widthPx: number; heightPx: number }, columns: number): CellSize {
  const scale = Math.min(1, (columns * cellWidth) / widthPx, (mostRows * cellHeight) / heightPx);
  return {
    columns: Math.max(1, Math.ceil((widthPx * scale) / cellWidth)),
    rows: Math.max(1, Math.ceil((heightPx * scale) / cellHeight)),
  };
}

function sizeOf({ columns, rows }: CellSize): string {
  return `${columns}×${rows}`;
}

function inline(strip: Buffer, columns: number): string {
  const facts = `inline=1;width=${columns};height=1;preserveAspectRatio=0;size=${strip.length}`;
  return `\u001B]1337;File=${facts}:${strip.toString('base64')}\u0007`;
}

const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/;
