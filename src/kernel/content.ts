import type { BlobHash } from './ids.ts';
import { tokensOfText } from './token-estimate.ts';

/** Text in events and state: the string itself or, above a few kB, a reference to a blob with the text's beginning. */
export type Body = string | BlobRef;

export interface BlobRef {
  readonly blob: BlobHash;
  /** The full length in UTF-16 units, comparable with plain strings. */
  readonly length: number;
  readonly preview: string;
}

export interface Attachment {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Body;
}

export function isBlobRef(body: Body): body is BlobRef {
  return typeof body !== 'string';
}

export function lengthOf(body: Body): number {
  return body.length;
}

export function previewOf(body: Body): string {
  return typeof body === 'string' ? body : body.preview;
}

/** Used if a provider gave no count, and marked as an estimate. Assumes that a blob continues like its beginning. */
export function estimateTokens(body: Body): number {
  if (typeof body === 'string') return tokensOfText(body);
  const { preview, length } = body;
  return preview === '' ? Math.ceil(length / 4) : Math.ceil((tokensOfText(preview) * length) / preview.length);
}

/** A picture's cost depends on its pixels; this returns the maximum that providers charge. */
export function estimateAttachment({ mediaType, content }: Attachment): number {
  return mediaType.startsWith('image/') ? pictureTokens : estimateTokens(content);
}

const pictureTokens = 1600;

/**
 * How many characters of a tool's output a model sees, at the start and at the end. It can read the rest by
 * reference.
 */
export const outputBounds = { start: 20_000, end: 10_000 } as const;

/** Tokens of a tool's output as shown. */
export function estimateShown(body: Body): number {
  const most = outputBounds.start + outputBounds.end;
  const tokens = estimateTokens(body);
  return lengthOf(body) <= most ? tokens : Math.ceil((tokens * most) / lengthOf(body));
}
