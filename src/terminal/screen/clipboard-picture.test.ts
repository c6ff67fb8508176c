import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { filePicture, pictureFrom } from './clipboard-picture.ts';

const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const picture = { mediaType: 'image/png', base64: bytes.toString('base64') };

test('[C129] a picture is read as its program writes it: bytes, base64 or AppleScript data', () => {
  expect(pictureFrom(bytes)).toEqual(picture);
  expect(pictureFrom(Buffer.from(`${picture.base64}\r\n`))).toEqual(picture);
  const apple = `«data PNGf${bytes.toString('hex').toUpperCase()}»\n`;
  expect(pictureFrom(Buffer.from(apple))).toEqual(picture);
  expect([pictureFrom(Buffer.alloc(0)), pictureFrom(Buffer.from('<svg onload=x>'))]).toEqual([
    undefined,
    undefined,
  ]);
});

test('[C129] a file is a picture by its content, whatever its name says', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-picture-'));
  await writeFile(path.join(folder, 'a.png'), bytes);
  await writeFile(path.join(folder, 'b.png'), 'text');
  expect(await Promise.all(['a.png', 'b.png', 'none.png'].map((file) => filePicture(file, folder)))).toEqual([
    picture,
    undefined,
    undefined,
  ]);
  await rm(folder, { recursive: true });
});
