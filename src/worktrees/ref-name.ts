/** Keeps letters, digits, `_` and `-`. Other bytes become %XX, which git allows in a ref. */
export function refName(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const letter = String.fromCodePoint(byte);
      return /[\w-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
}
