// Text files as stored on disk: encoding, byte-order mark and line ends are detected on read and preserved on
// write.

export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  readonly bom: boolean;
  readonly lineEnd: '\n' | '\r\n';
}

type DecodedFile =
  | { readonly type: 'text'; readonly text: string; readonly format: TextFormat }
  | { readonly type: 'binary' };

export const PLAIN: TextFormat = { encoding: 'utf-8', bom: false, lineEnd: '\n' };

/** The text of a file with its original line ends. `latin1` is the fallback. */
export function decodeFile(content: Buffer): DecodedFile {
  const marked = byMark(content);
  const match = marked ?? withoutMark(content);
  if (match === undefined) return { type: 'binary' };
  return { type: 'text', text: match.text, format: { ...match.format, lineEnd: lineEndOf(match.text) } };
}

export function withLineEnds(text: string, lineEnd: TextFormat['lineEnd']): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\n', lineEnd);
}

/** Encodes `text` unchanged. Undefined if the encoding can't represent it. */
export function encodeFile(text: string, format: TextFormat): Buffer | undefined {
  switch (format.encoding) {
    case 'utf-8':
      return Buffer.from((format.bom ? '\u{feff}' : '') + text, 'utf8');
    case 'utf-16le':
      return Buffer.from((format.bom ? '\u{feff}' : '') + text, 'utf16le');
    case 'utf-16be':
      return Buffer.from((format.bom ? '\u{feff}' : '') + text, 'utf16le').swap16();
    case 'latin1':
      // oxlint-disable-next-line no-control-regex -- every character of the encoding
      return /^[\u{0}-\u{ff}]*$/u.test(text) ? Buffer.from(text, 'latin1') : undefined;
  }
}

/** Describes the format. Undefined for the plain one. */
export function formatNote(format: TextFormat): string | undefined {
  const notes = [
    ...(format.encoding === 'utf-8' ? [] : [format.encoding]),
    ...(format.bom ? ['byte-order mark'] : []),
    ...(format.lineEnd === '\r\n' ? ['CRLF line ends'] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(', ');
}

type Found = { readonly text: string; readonly format: Omit<TextFormat, 'lineEnd'> };

function byMark(content: Buffer): Found | undefined {
  const [a, b, c] = content;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    return { text: content.toString('utf8', 3), format: { encoding: 'utf-8', bom: true } };
  }
  if (content.length % 2 !== 0) return undefined;
  if (a === 0xff && b === 0xfe) {
    return { text: content.toString('utf16le', 2), format: { encoding: 'utf-16le', bom: true } };
  }
  if (a === 0xfe && b === 0xff) {
    const swapped = Buffer.from(content).swap16();
    return { text: swapped.toString('utf16le', 2), format: { encoding: 'utf-16be', bom: true } };
  }
  return undefined;
}

function withoutMark(content: Buffer): Found | undefined {
  const [a, b] = content;
  const halfCharacter = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (halfCharacter || content.includes(0)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    return { text, format: { encoding: 'utf-8', bom: false } };
  } catch {
    return hasControls(content)
      ? undefined
      : { text: content.toString('latin1'), format: { encoding: 'latin1', bom: false } };
  }
}

// Control characters that text never contains: content that isn't UTF-8 and has some isn't latin1 text either.
function hasControls(content: Buffer): boolean {
  return content.some((byte) => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32) || byte === 127);
}

function lineEndOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}
