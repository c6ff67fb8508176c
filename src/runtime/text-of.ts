import type { BlobRef, Body } from '../kernel/content.ts';

/** The text of a body, read where it is a blob. */
export async function textOf(body: Body, read: (ref: BlobRef) => Promise<string>): Promise<string> {
  return typeof body === 'string' ? body : await read(body);
}
