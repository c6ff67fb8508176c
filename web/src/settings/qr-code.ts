/**
 * A QR code of a short text: byte mode, error correction M, versions 1 to 10 (up to 213 bytes). Written out here,
 * because a library would be larger than everything else on the page that uses it.
 */
interface QrCode {
  readonly size: number;
  /** Dark modules as an SVG path. */
  readonly path: string;
}

/** Per version: data codewords, blocks, and check codewords per block, for level M. */
const versions = [
  [16, 1, 10],
  [28, 1, 16],
  [44, 1, 26],
  [64, 2, 18],
  [86, 2, 24],
  [108, 4, 16],
  [124, 4, 18],
  [154, 4, 22],
  [182, 5, 22],
  [216, 5, 26],
] as const;

const alignments = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

/** Undefined if the text is too long. */
export function qrCode(text: string): QrCode | undefined {
  const modules = qrModules(text);
  if (modules === undefined) return undefined;
  const path = modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size: modules.length, path };
}

export function qrModules(text: string): readonly (readonly boolean[])[] | undefined {
  const bytes = new TextEncoder().encode(text);
  const index = versions.findIndex(([data], at) => bytes.length + (at >= 9 ? 3 : 2) <= data);
  const version = versions[index];
  if (version === undefined) return undefined;
  const codewords = interleaved(dataOf(bytes, index + 1, version[0]), version[1], version[2]);
  const size = 17 + 4 * (index + 1);
  const candidates = Array.from({ length: 8 }, (_, mask) => drawn(codewords, size, index + 1, mask));
  return candidates.toSorted((a, b) => penalty(a) - penalty(b))[0];
}

function dataOf(bytes: Uint8Array, version: number, length: number): readonly number[] {
  const bits: number[] = [];
  const push = (value: number, count: number) => {
    for (let at = count - 1; at >= 0; at -= 1) bits.push((value >> at) & 1);
  };
  push(4, 4);
  push(bytes.length, version >= 10 ? 16 : 8);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, length * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const data = Array.from({ length: bits.length / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  );
  for (let pad = 0; data.length < length; pad += 1) data.push(pad % 2 === 0 ? 0xec : 0x11);
  return data;
}

/** Earlier blocks are the shorter ones. */
function interleaved(data: readonly number[], count: number, checks: number): readonly number[] {
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  let at = 0;
  const blocks = Array.from({ length: count }, (_, block) => {
    const length = short + (block >= count - longer ? 1 : 0);
    at += length;
    return data.slice(at - length, at);
  });
  const sums = blocks.map((block) => checksOf(block, checks));
  const columns = (lists: readonly (readonly number[])[], width: number) =>
    Array.from({ length: width }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
  return [...columns(blocks, short + 1), ...columns(sums, checks)];
}

const powers = new Uint8Array(512);
const logs = new Uint8Array(256);
for (let value = 1, at = 0; at < 255; at += 1) {
  powers[at] = value;
  powers[at + 255] = value;
  logs[value] = at;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}
const times = (a: number, b: number) => (a === 0 || b === 0 ? 0 : (powers[(logs[a] ?? 0) + (logs[b] ?? 0)] ?? 0));

function checksOf(block: readonly number[], count: number): readonly number[] {
  let generator: readonly number[] = [1];
  for (let degree = 0; degree < count; degree += 1) {
    const root = powers[degree] ?? 0;
    generator = Array.from(
      { length: generator.length + 1 },
      (_, at) => (generator[at] ?? 0) ^ times(generator[at - 1] ?? 0, root),
    );
  }
  const rest = [...block, ...Array.from({ length: count }, () => 0)];
  for (let at = 0; at < block.length; at += 1) {
    const factor = rest[at] ?? 0;
    for (const [place, value] of generator.entries())
      rest[at + place] = (rest[at + place] ?? 0) ^ times(value, factor);
  }
  return rest.slice(block.length);
}

function drawn(
  codewords: readonly number[],
  size: number,
  version: number,
  mask: number,
): readonly (readonly boolean[])[] {
  const dark: boolean[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const fixed: boolean[][] = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const set = (x: number, y: number, isDark: boolean) => {
    const [row, mark] = [dark[y], fixed[y]];
    if (row === undefined || mark === undefined || x < 0 || x >= size) return;
    row[x] = isDark;
    mark[x] = true;
  };
  const finder = (left: number, top: number) => {
    for (let dy = -1; dy <= 7; dy += 1)
      for (let dx = -1; dx <= 7; dx += 1) {
        const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3));
        set(left + dx, top + dy, ring !== 2 && ring < 4);
      }
  };
  for (let at = 8; at < size - 8; at += 1) {
    set(at, 6, at % 2 === 0);
    set(6, at, at % 2 === 0);
  }
  finder(0, 0);
  finder(size - 7, 0);
  finder(0, size - 7);
  const places = alignments[version - 1] ?? [];
  const last = places.length - 1;
  for (const [row, y] of places.entries())
    for (const [column, x] of places.entries()) {
      if ((row === 0 && column === 0) || (row === 0 && column === last) || (row === last && column === 0))
        continue;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  drawFormat(set, size, mask);
  if (version >= 7) drawVersion(set, size, version);
  fill(codewords, dark, fixed, mask);
  return dark;
}

type Set = (x: number, y: number, isDark: boolean) => void;

function drawFormat(set: Set, size: number, mask: number): void {
  let rest = mask;
  for (let at = 0; at < 10; at += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  // Level M is 00, so the data is the mask alone.
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (at: number) => ((bits >> at) & 1) === 1;
  for (let at = 0; at <= 5; at += 1) set(8, at, bit(at));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let at = 9; at < 15; at += 1) set(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at += 1) set(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at += 1) set(8, size - 15 + at, bit(at));
  set(8, size - 8, true);
}

function drawVersion(set: Set, size: number, version: number): void {
  let rest = version;
  for (let at = 0; at < 12; at += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const isDark = ((bits >> at) & 1) === 1;
    const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
    set(far, near, isDark);
    set(near, far, isDark);
  }
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Two columns at a time, upwards and downwards in turn, without the timing column. */
function fill(
  codewords: readonly number[],
  dark: boolean[][],
  fixed: readonly (readonly boolean[])[],
  mask: number,
): void {
  const size = dark.length;
  let place = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1)
      for (let side = 0; side < 2; side += 1) {
        const [x, y] = [right - side, isUp ? size - 1 - step : step];
        const row = dark[y];
        if (row === undefined || fixed[y]?.[x] === true) continue;
        const isSet = (((codewords[place >> 3] ?? 0) >> (7 - (place & 7))) & 1) === 1;
        place += 1;
        row[x] = isSet !== (masks[mask]?.(x, y) ?? false);
      }
  }
}

/** Runs, blocks and balance: what makes a code hard to read. */
function penalty(dark: readonly (readonly boolean[])[]): number {
  const size = dark.length;
  let sum = 0;
  let count = 0;
  for (let a = 0; a < size; a += 1)
    for (const isRow of [true, false]) {
      let run = 0;
      let before: boolean | undefined;
      for (let b = 0; b < size; b += 1) {
        const cell = isRow ? dark[a]?.[b] : dark[b]?.[a];
        run = cell === before ? run + 1 : 1;
        before = cell;
        if (run === 5) sum += 3;
        else if (run > 5) sum += 1;
        if (isRow && cell === true) count += 1;
      }
    }
  for (let y = 1; y < size; y += 1)
    for (let x = 1; x < size; x += 1) {
      const cell = dark[y]?.[x];
      if (cell === dark[y - 1]?.[x] && cell === dark[y]?.[x - 1] && cell === dark[y - 1]?.[x - 1]) sum += 3;
    }
  return sum + 10 * Math.floor(Math.abs((count / (size * size)) * 20 - 10));
}
