/**
 * A PNG picture cut into one strip for each row of the screen, scaled down to what the rows can show.
 *
 * Terminals with iTerm2's protocol can't show a part of a picture, and writing into one of its rows erases that row.
 * As strips, each row of the screen is drawn, scrolled and erased like a row of text.
 */
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, deflateSync, inflate } from 'node:zlib';

export interface CellSize {
  readonly columns: number;
  readonly rows: number;
}

/** Pixels of a cell. Terminals scale each strip to its own cells. */
export const cellWidth = 10;
export const cellHeight = 20;

const mostPixels = 16_000_000;
/** Decoded at once: a few milliseconds, so that typing stays smooth. */
const pixelsAtOnce = 100_000;

/** Each strip is a PNG picture. Undefined if the picture is damaged, interlaced or too large. */
export async function pictureStrips(
  bytes: Buffer,
  { columns, rows }: CellSize,
): Promise<readonly Buffer[] | undefined> {
  const png = parsed(bytes);
  if (png === undefined) return undefined;
  const { width, height, stride } = png;
  const lines = await inflated(png.data, { maxOutputLength: (stride + 1) * height }).catch(() => undefined);
  if (lines?.length !== (stride + 1) * height || height < rows) return undefined;
  const stripHeight = Math.min(cellHeight, Math.floor(height / rows));
  const small = createAverage(png, Math.min(width, columns * cellWidth), rows * stripHeight);
  const rowsAtOnce = Math.ceil(pixelsAtOnce / width);
  let above: Uint8Array = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const line = lines.subarray(y * (stride + 1), (y + 1) * (stride + 1));
    const row = line.subarray(1);
    if (!unfilter(line[0] ?? 0, row, above, png.step)) return undefined;
    small.add(row, y);
    above = row;
    if ((y + 1) % rowsAtOnce === 0) await setImmediate();
  }
  return Array.from({ length: rows }, (_, index) => small.strip(index * stripHeight, stripHeight));
}

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly kind: number;
  readonly samples: number;
  /** Bytes of a row, and of a pixel. */
  readonly stride: number;
  readonly step: number;
  readonly palette: Uint8Array;
  /** Of the palette's colours. The one transparent colour of pictures without alpha is drawn. */
  readonly alphas: Uint8Array;
  readonly data: Buffer;
}

const inflated = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const signature = Buffer.from('89504e470d0a1a0a', 'hex');
/** By colour type: grey, colour, palette, grey with alpha, colour with alpha. */
const samplesOf: Readonly<Record<number, number | undefined>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function parsed(bytes: Buffer): Png | undefined {
  const chunks = chunksOf(bytes);
  const header = chunks.get('IHDR')?.[0];
  if (header?.length !== 13) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, kind = 0, , , interlace] = header.subarray(8);
  const samples = samplesOf[kind];
  const isKnown = samples !== undefined && (depth === 8 || (samples === 1 ? isSmall(depth) : depth === 16));
  if (!isKnown || interlace !== 0 || width === 0 || height === 0 || width * height > mostPixels) return undefined;
  const bits = samples * depth;
  return {
    width,
    height,
    depth,
    kind,
    samples,
    stride: Math.ceil((width * bits) / 8),
    step: Math.max(1, bits >> 3),
    palette: chunks.get('PLTE')?.[0] ?? new Uint8Array(),
    alphas: kind === 3 ? (chunks.get('tRNS')?.[0] ?? new Uint8Array()) : new Uint8Array(),
    data: Buffer.concat(chunks.get('IDAT') ?? []),
  };
}

function isSmall(depth: number): boolean {
  return [1, 2, 4, 16].includes(depth);
}

function chunksOf(bytes: Buffer): ReadonlyMap<string, readonly Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  if (!bytes.subarray(0, 8).equals(signature)) return chunks;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    chunks.set(name, [...(chunks.get(name) ?? []), bytes.subarray(at + 8, end)]);
    at = end + 4;
  }
  return chunks;
}

/** Undoes the filter of one row in place. False if there is no such filter. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  if (filter > 4) return false;
  for (let at = 0; filter > 0 && at < row.length; at += 1) {
    const left = at < step ? 0 : (row[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    row[at] = (row[at] ?? 0) + predicted(filter, left, up, corner);
  }
  return true;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** A smaller picture: each pixel is the average of those that it stands for. */
function createAverage(png: Png, width: number, height: number) {
  const sums = new Float64Array(width * height * 5);
  const places = Array.from({ length: png.width }, (_, x) => Math.floor((x * width) / png.width) * 5);
  return {
    add(row: Uint8Array, y: number): void {
      const from = Math.floor((y * height) / png.height) * width * 5;
      for (let x = 0; x < png.width; x += 1) {
        const at = from + (places[x] ?? 0);
        const color = colorAt(png, row, x);
        const alpha = color & 0xff;
        sums[at] = (sums[at] ?? 0) + (color >>> 24) * alpha;
        sums[at + 1] = (sums[at + 1] ?? 0) + ((color >>> 16) & 0xff) * alpha;
        sums[at + 2] = (sums[at + 2] ?? 0) + ((color >>> 8) & 0xff) * alpha;
        sums[at + 3] = (sums[at + 3] ?? 0) + alpha;
        sums[at + 4] = (sums[at + 4] ?? 0) + 1;
      }
    },
    strip(first: number, rows: number): Buffer {
      const lines = Buffer.alloc((width * 4 + 1) * rows);
      for (let pixel = 0; pixel < width * rows; pixel += 1) {
        const at = (first * width + pixel) * 5;
        // Each line starts with the kind of its filter: none.
        const to = pixel * 4 + Math.floor(pixel / width) + 1;
        const alpha = sums[at + 3] ?? 0;
        for (let index = 0; index < 3; index += 1)
          lines[to + index] = alpha === 0 ? 0 : Math.round((sums[at + index] ?? 0) / alpha);
        lines[to + 3] = Math.round(alpha / (sums[at + 4] ?? 1));
      }
      return encoded(lines, width, rows);
    },
  };
}

/** Red, green, blue and alpha as one number. */
function colorAt({ kind, depth, samples, palette, alphas }: Png, row: Uint8Array, x: number): number {
  const first = x * samples;
  const sample = (index: number) => {
    if (depth === 8) return row[first + index] ?? 0;
    if (depth === 16) return row[(first + index) * 2] ?? 0;
    return ((row[(x * depth) >> 3] ?? 0) >> (8 - depth - ((x * depth) & 7))) & ((1 << depth) - 1);
  };
  if (kind === 3) {
    const index = sample(0);
    return packed(palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2], alphas[index]);
  }
  if (kind === 2 || kind === 6) return packed(sample(0), sample(1), sample(2), kind === 6 ? sample(3) : 255);
  const grey = depth < 8 ? (sample(0) * 255) / ((1 << depth) - 1) : sample(0);
  return packed(grey, grey, grey, kind === 4 ? sample(1) : 255);
}

function packed(red = 0, green = 0, blue = 0, alpha = 255): number {
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

function encoded(lines: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(lines)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
