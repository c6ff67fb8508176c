import { resetCapabilitiesCache, setCapabilities } from '@earendil-works/pi-tui';
import { inflateSync } from 'node:zlib';

import { afterEach, expect, test, vi } from 'vitest';

import { pngOf } from '../../../test/fixtures/png.ts';
import { safeLines } from '../lines/safe-lines.ts';
import { createPictures } from './pictures.ts';

afterEach(() => resetCapabilitiesCache());

function picturesIn(env: Record<string, string>, changed = () => undefined as void) {
  return createPictures({ env, changed });
}

/** The first bytes of a picture of 640 × 480. */
const base64 = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex').toString('base64');
const picture = { key: 'p 0', mediaType: 'image/png', base64 };

test('[C126] a picture takes at most twelve rows, and keeps its id at another width', () => {
  setCapabilities({ images: 'kitty', trueColor: true, hyperlinks: true });
  const pictures = picturesIn({});
  const [first = '', ...rest] = pictures.lines(picture, 120) ?? [];
  expect(first.startsWith('  \u001B_Ga=T,f=100,q=2,C=1,c=32,r=12,i=')).toBe(true);
  expect(rest).toEqual(Array.from({ length: 11 }, () => ''));
  const id = /i=(\d+)/.exec(first)?.[1];
  const [narrow = ''] = pictures.lines(picture, 24) ?? [];
  expect(narrow).toMatch(new RegExp(`c=20,r=8,i=${id};`));
});

test('[C126] [S18] only its own lines reach the screen as pictures', () => {
  setCapabilities({ images: 'kitty', trueColor: true, hyperlinks: true });
  const pictures = picturesIn({});
  const [first = ''] = pictures.lines(picture, 120) ?? [];
  const forged = `  \u001B_Ga=T,f=100;${base64}\u001B\\`;
  expect(safeLines([first, forged], pictures.isOwn)).toEqual([first, `  �_Ga=T,f=100;${base64}�\\`]);
  expect(pictures.lines({ ...picture, key: 'q', base64: `${base64}\u001B\\` }, 120)).toBeUndefined();
  expect(pictures.lines({ ...picture, key: 'r', mediaType: 'image/jpeg' }, 120)).toBeUndefined();
});

test('[C126] a terminal without the protocol gets no picture', () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  expect(picturesIn({}).lines(picture, 120)).toBeUndefined();
});

test('[C126] iTerm2 gets one strip for each row, also on another machine', async () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  for (const env of [{ TERM_PROGRAM: 'iTerm.app' }, { LC_TERMINAL: 'iTerm2' }]) {
    const changed = vi.fn();
    const pictures = picturesIn(env, changed);
    const asked = () => pictures.lines({ key: 'p', mediaType: 'image/png', base64: redOverBlue }, 120);
    expect(asked()).toBeUndefined();
    expect(pictures.isReading).toBe(true);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
    expect(pictures.isReading).toBe(false);
    const lines = asked() ?? [];
    expect(lines).toHaveLength(2);
    const start = '  \u001B]1337;File=inline=1;width=3;height=1;preserveAspectRatio=0;size=';
    expect(lines.every((line) => line.startsWith(start) && line.endsWith('\u0007'))).toBe(true);
    expect(lines.map(cornerOf)).toEqual([
      [255, 0, 0, 255],
      [0, 0, 255, 255],
    ]);
    expect(safeLines(lines, pictures.isOwn)).toEqual(lines);
  }
});

test('[C126] a large picture takes at most twelve rows, and its strips no more pixels than they show', async () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  const changed = vi.fn();
  const pictures = picturesIn({ TERM_PROGRAM: 'iTerm.app' }, changed);
  const large = {
    key: 'p',
    mediaType: 'image/png',
    base64: pngOf({ width: 900, height: 1200, kind: 2, rows: () => Buffer.alloc(2700, 80) }).toString('base64'),
  };
  pictures.lines(large, 120);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  const lines = pictures.lines(large, 120) ?? [];
  expect(lines).toHaveLength(12);
  expect(lines[0]).toContain(';width=18;height=1;');
  expect(pixelsOf(lines[0] ?? '').header.subarray(0, 8)).toEqual(Buffer.from('000000b400000014', 'hex'));
  pictures.lines(large, 14);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(2));
  expect(pictures.lines(large, 14)).toHaveLength(7);
});

test('[C126] iTerm2 shows no damaged picture, and none inside tmux', async () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  const changed = vi.fn();
  const pictures = picturesIn({ TERM_PROGRAM: 'iTerm.app' }, changed);
  pictures.lines(picture, 120);
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
  expect(pictures.lines(picture, 120)).toBeUndefined();
  expect(pictures.isReading).toBe(false);
  const within = picturesIn({ TERM_PROGRAM: 'iTerm.app', LC_TERMINAL: 'iTerm2', TMUX: '/tmp/tmux-1/default,1,0' });
  within.lines({ ...picture, base64: redOverBlue }, 120);
  expect(within.isReading).toBe(false);
});

/** 30 × 40 pixels: one red row of the screen, one blue. */
const redOverBlue = pngOf({
  width: 30,
  height: 40,
  kind: 2,
  rows: (y) => Buffer.alloc(90, y < 20 ? Buffer.from([255, 0, 0]) : Buffer.from([0, 0, 255])),
}).toString('base64');

function cornerOf(line: string): readonly number[] {
  return [...pixelsOf(line).data.subarray(1, 5)];
}

function pixelsOf(line: string): { readonly header: Buffer; readonly data: Buffer } {
  const strip = Buffer.from(/:([A-Za-z0-9+/=]+).$/s.exec(line)?.[1] ?? '', 'base64');
  const at = strip.indexOf('IDAT') + 4;
  return { header: strip.subarray(16, 29), data: inflateSync(strip.subarray(at)) };
}
