import { decodeKittyPrintable } from '@earendil-works/pi-tui';

/**
 * The character that a key types. Some terminals send an escape sequence for Shift and a letter, as asked for by the
 * screen library, and for the digits of the keypad. Any other key stays as it is.
 */
export function typedKey(data: string): string {
  const known = decodeKittyPrintable(data);
  if (known !== undefined) return known;
  // oxlint-disable-next-line no-control-regex -- xterm's sequence: modifiers, then the character
  const [, modifiers, character] = /^\u001B\[27;(\d{1,3});(\d{2,7})~$/.exec(data) ?? [];
  const code = Number(character);
  const isPlain = ((Number(modifiers) - 1) & ~shiftAndLocks) === 0;
  const isText = code >= 32 && code !== 127 && code <= 0x10_ffff;
  return character !== undefined && isPlain && isText ? String.fromCodePoint(code) : data;
}

/** Shift, Caps Lock and Num Lock. */
const shiftAndLocks = 1 | 64 | 128;
