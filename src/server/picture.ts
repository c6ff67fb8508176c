/**
 * A picture of a session as a browser may show it. What it is follows from its own first bytes, never from what
 * anybody said it was: nothing that could be a page, a script or a drawing with scripts is served.
 */
const kinds: readonly { readonly type: string; readonly isIn: (opening: string) => boolean }[] = [
  { type: 'image/png', isIn: (opening) => opening.startsWith('\u0089PNG\r\n\u001A\n') },
  { type: 'image/jpeg', isIn: (opening) => opening.startsWith('\u00FF\u00D8\u00FF') },
  { type: 'image/gif', isIn: (opening) => /^GIF8[79]a/.test(opening) },
  { type: 'image/webp', isIn: (opening) => opening.startsWith('RIFF') && opening.slice(8).startsWith('WEBP') },
];

export interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** From base64, with or without the head of a data URL. Undefined where it is no such picture. */
export function pictureIn(text: string): Picture | undefined {
  const encoded = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64'));
  const opening = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const kind = kinds.find(({ isIn }) => isIn(opening));
  return kind === undefined ? undefined : { type: kind.type, bytes };
}

/** Even opened by itself it can do nothing; it is named by its content, so it never changes. */
export const pictureHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=31536000, immutable',
  'content-disposition': 'inline',
};
