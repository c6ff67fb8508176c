/**
 * A session's picture for display in a browser. Its first bytes decide the type, never a declared type: the server
 * never serves a page, a script or a drawing that may contain scripts.
 */
const kinds: readonly { readonly type: string; readonly isIn: (opening: string) => boolean }[] = [
  { type: 'image/png', isIn: (opening) => opening.startsWith('\u0089PNG\r\n\u001A\n') },
  { type: 'image/jpeg', isIn: (opening) => opening.startsWith('\u00FF\u00D8\u00FF') },
  { type: 'image/gif', isIn: (opening) => /^GIF8[79]a/.test(opening) },
  { type: 'image/webp', isIn: (opening) => opening.startsWith('RIFF') && opening.slice(8).startsWith('WEBP') },
];

interface Picture {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Decodes base64, with or without a data URL prefix. Undefined if it isn't a supported picture. */
export function pictureIn(text: string): Picture | undefined {
  const encoded = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  const bytes = new Uint8Array(Buffer.from(encoded, 'base64'));
  const opening = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const kind = kinds.find(({ isIn }) => isIn(opening));
  return kind === undefined ? undefined : { type: kind.type, bytes };
}

/** Harmless even if opened directly. The URL contains the content's hash, so it never changes. */
export const pictureHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'private, max-age=31536000, immutable',
  'content-disposition': 'inline',
};
