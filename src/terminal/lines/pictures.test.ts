import { resetCapabilitiesCache, setCapabilities } from '@earendil-works/pi-tui';
import { afterEach, expect, test } from 'vitest';

import { safeLines } from '../lines/safe-lines.ts';
import { createPictures } from './pictures.ts';

afterEach(() => resetCapabilitiesCache());

/** The first bytes of a picture of 640 × 480. */
const base64 = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex').toString('base64');
const picture = { key: 'p 0', mediaType: 'image/png', base64 };

test('[C126] a picture takes at most twelve rows, and keeps its id at another width', () => {
  setCapabilities({ images: 'kitty', trueColor: true, hyperlinks: true });
  const pictures = createPictures();
  const [first = '', ...rest] = pictures.lines(picture, 120) ?? [];
  expect(first.startsWith('  \u001B_Ga=T,f=100,q=2,C=1,c=32,r=12,i=')).toBe(true);
  expect(rest).toEqual(Array.from({ length: 11 }, () => ''));
  const id = /i=(\d+)/.exec(first)?.[1];
  const [narrow = ''] = pictures.lines(picture, 24) ?? [];
  expect(narrow).toMatch(new RegExp(`c=20,r=8,i=${id};`));
});

test('[C126] [S18] only its own lines reach the screen as pictures', () => {
  setCapabilities({ images: 'kitty', trueColor: true, hyperlinks: true });
  const pictures = createPictures();
  const [first = ''] = pictures.lines(picture, 120) ?? [];
  const forged = `  \u001B_Ga=T,f=100;${base64}\u001B\\`;
  expect(safeLines([first, forged], pictures.isOwn)).toEqual([first, `  �_Ga=T,f=100;${base64}�\\`]);
  expect(pictures.lines({ ...picture, key: 'q', base64: `${base64}\u001B\\` }, 120)).toBeUndefined();
  expect(pictures.lines({ ...picture, key: 'r', mediaType: 'image/jpeg' }, 120)).toBeUndefined();
});

test('[C126] a terminal without the protocol gets no picture', () => {
  setCapabilities({ images: null, trueColor: true, hyperlinks: true });
  expect(createPictures().lines(picture, 120)).toBeUndefined();
});
