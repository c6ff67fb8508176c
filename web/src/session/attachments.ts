import { sizeText } from '../../../src/wording/size.ts';

/** Files attached to a prompt: pictures as base64, anything else as text. */
export interface Attached {
  readonly name: string;
  readonly mediaType: string;
  readonly content: string;
}

type ReadAttachment =
  | { readonly type: 'read'; readonly attached: Attached }
  | { readonly type: 'refused'; readonly why: string };

/** Picture types that models and browsers support. */
const pictureTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export function isPicture({ mediaType }: { readonly mediaType: string }): boolean {
  return pictureTypes.has(mediaType);
}

/** A request is limited to 10 MB, and base64 adds a third. */
const mostBytes = 7_000_000;

/** `others` are already attached to the same prompt. */
async function readAttachment(file: File, others: readonly Attached[]): Promise<ReadAttachment> {
  const { name, type } = file;
  const taken = others.reduce((sum, { content }) => sum + (content.length * 3) / 4, 0);
  if (file.size + taken > mostBytes) {
    const why = `It is ${sizeText(file.size)}, but the attachments of a prompt are limited to ${sizeText(mostBytes)}.`;
    return { type: 'refused', why };
  }
  if (pictureTypes.has(type) || type === 'application/pdf')
    return { type: 'read', attached: { name, mediaType: type, content: await base64Of(file) } };
  const text = await file.text();
  // Unsupported binary pictures. Text formats such as SVG pass.
  if (text.includes('\u0000')) return { type: 'refused', why: "It isn't text, PNG, JPEG, GIF or WebP." };
  const mediaType = type === '' || type.startsWith('image/') ? 'text/plain' : type;
  return { type: 'read', attached: { name, mediaType, content: text } };
}

/** The files that could be read, after those that are already attached. `refuse` reports each of the others. */
export async function withFiles(
  attached: readonly Attached[],
  files: Iterable<File>,
  refuse: (name: string, why: string) => void,
): Promise<readonly Attached[]> {
  const all = [...attached];
  for (const file of files) {
    const read = await readAttachment(file, all);
    if (read.type === 'read') all.push(read.attached);
    else refuse(file.name, read.why);
  }
  return all;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error(`Can't read ${file.name}.`)));
    reader.readAsDataURL(file);
  });
}
