/** The last step before a plain terminal: signs of our own words that ASCII lacks, each in one column, and no marks of direction. */
import { asciiShapes, type Glyphs } from '../glyphs.ts';

const plain: Readonly<Record<string, string>> = {
  '…': '~',
  '–': '-',
  '−': '-',
  '↑': '^',
  '↓': 'v',
  '×': 'x',
  '’': "'",
  '\u200E': '',
};
const signs = new RegExp(`[${Object.keys(plain).join('')}]`, 'g');

export function asciiLines(lines: readonly string[], glyphs: Glyphs): readonly string[] {
  if (glyphs !== asciiShapes) return lines;
  return lines.map((line) => line.replaceAll(signs, (sign) => plain[sign] ?? sign));
}
