import { describe, expect, test } from 'vitest';

import { decodeFile, encodeFile, type TextFormat, withLineEnds } from './text-file.ts';

const FORMATS: readonly TextFormat[] = [
  { encoding: 'utf-8', bom: false, lineEnd: '\n' },
  { encoding: 'utf-8', bom: true, lineEnd: '\r\n' },
  { encoding: 'utf-16le', bom: true, lineEnd: '\n' },
  { encoding: 'utf-16be', bom: true, lineEnd: '\r\n' },
  { encoding: 'latin1', bom: false, lineEnd: '\r\n' },
];

describe('text files', () => {
  test.for(FORMATS)('C32: what is written in $encoding is read back with the same format', (format) => {
    const text = withLineEnds('größe\nline\n', format.lineEnd);
    const content = encodeFile(text, format) ?? Buffer.alloc(0);
    expect(decodeFile(content)).toEqual({ type: 'text', text, format });
  });

  test.for([
    ['a NUL byte', [65, 0, 66]],
    ['control characters that are no UTF-8', [0xff, 1, 2]],
    ['an odd number of bytes after a mark', [0xff, 0xfe, 65]],
  ] as const)('C32: %s is binary', ([, bytes]) => {
    expect(decodeFile(Buffer.from(bytes))).toEqual({ type: 'binary' });
  });
});
