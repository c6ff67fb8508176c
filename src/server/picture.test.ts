import { expect, test } from 'vitest';

import { pictureIn } from './picture.ts';

const base64 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('base64');

test("[C95] detects an image's type from its bytes, not its name", () => {
  const png = base64('\u0089PNG\r\n\u001A\n....');
  const types = [
    png,
    `data:text/html;base64,${png}`,
    base64('\u00FF\u00D8\u00FF\u00E0'),
    base64('GIF89a'),
    base64('RIFF....WEBPVP8 '),
  ].map((text) => pictureIn(text)?.type);
  expect(types).toEqual(['image/png', 'image/png', 'image/jpeg', 'image/gif', 'image/webp']);
  expect(Buffer.from(pictureIn(png)?.bytes ?? []).toString('base64')).toBe(png);
});

test('[C95] nothing else is served as one: no page, no drawing with scripts, no text', () => {
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>',
    '<script>x()</script>',
    '%PDF-1.7',
    '',
  ];
  expect(others.flatMap((text) => [pictureIn(base64(text)), pictureIn(text)])).toEqual(
    others.flatMap(() => [undefined, undefined]),
  );
});
