/** Files that go along with a prompt: images as base64, anything else as text. */
export interface Attached {
  readonly name: string;
  readonly mediaType: string;
  readonly content: string;
}

export type ReadAttachment =
  | { readonly type: 'read'; readonly attached: Attached }
  | { readonly type: 'refused'; readonly why: string };

/** A message on the socket may have a megabyte, and base64 takes a third more. */
const mostBytes = 650_000;

export async function readAttachment(file: File): Promise<ReadAttachment> {
  const { name, type } = file;
  if (file.size > mostBytes) {
    const most = Math.round(mostBytes / 1000);
    return {
      type: 'refused',
      why: `It has ${Math.round(file.size / 1000)} kB; ${most} kB is the most that can be sent.`,
    };
  }
  if (type.startsWith('image/') || type === 'application/pdf')
    return { type: 'read', attached: { name, mediaType: type, content: base64Of(await file.arrayBuffer()) } };
  const text = await file.text();
  if (text.includes('\u0000')) return { type: 'refused', why: 'It is neither text nor an image.' };
  return { type: 'read', attached: { name, mediaType: type === '' ? 'text/plain' : type, content: text } };
}

function base64Of(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCodePoint(byte);
  return btoa(text);
}
