import type { BlobRef, Body } from '../kernel/content.ts';

/** The text of a body. Reads it if it is a blob. */
export async function textOf(body: Body, read: (ref: BlobRef) => Promise<string>): Promise<string> {
  return typeof body === 'string' ? body : await read(body);
}
