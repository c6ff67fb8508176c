/**
 * Arrays as parameters in PostgreSQL's binary format: nothing in them is quoted or parsed. A buffer holds the number of
 * dimensions, whether there are nulls, the type of an element, the length, the first index, and each element behind
 * its size.
 */
import { toText } from './text-border.ts';

const textType = 25;
const bigintType = 20;
const headBytes = 20;

export function textArray(values: readonly (string | null)[]): Buffer {
  const texts = values.map((value) => (value === null ? null : toText(value)));
  let bytes = headBytes;
  for (const text of texts) bytes += 4 + (text === null ? 0 : Buffer.byteLength(text));
  const buffer = headed(bytes, textType, texts);
  let at = headBytes;
  for (const text of texts) {
    const size = text === null ? -1 : buffer.write(text, at + 4);
    buffer.writeInt32BE(size, at);
    at += 4 + Math.max(size, 0);
  }
  return buffer;
}

/** Whole numbers up to 2^53. */
export function bigintArray(values: readonly (number | null)[]): Buffer {
  const given = values.filter((value) => value !== null).length;
  const buffer = headed(headBytes + 4 * values.length + 8 * given, bigintType, values);
  let at = headBytes;
  for (const value of values) {
    buffer.writeInt32BE(value === null ? -1 : 8, at);
    at += 4;
    if (value === null) continue;
    buffer.writeInt32BE(Math.floor(value / 0x1_0000_0000), at);
    buffer.writeUInt32BE(value >>> 0, at + 4);
    at += 8;
  }
  return buffer;
}

function headed(bytes: number, type: number, values: readonly unknown[]): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(type, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}
