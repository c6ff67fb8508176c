import type { BlobHash } from './ids.ts';
import { tokensOfText } from './token-estimate.ts';

/**
 * Text as it stands in events and state: the string itself, or, above a few kB, a reference to a
 * blob that holds it, with its opening for people and for bounded contexts.
 */
export type Body = string | BlobRef;

export interface BlobRef {
  readonly blob: BlobHash;
  /** Length of the whole in UTF-16 units, so that sizes agree with those of plain strings. */
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

/** Used wherever a provider gave no count, and marked as an estimate there. A blob is taken to go on as it begins. */
export function estimateTokens(body: Body): number {
  if (typeof body === 'string') return tokensOfText(body);
  const { preview, length } = body;
  return preview === '' ? Math.ceil(length / 4) : Math.ceil((tokensOfText(preview) * length) / preview.length);
}

/** A picture costs by its size on the screen, of which only the most that providers take is known here. */
export function estimateAttachment({ mediaType, content }: Attachment): number {
  return mediaType.startsWith('image/') ? pictureTokens : estimateTokens(content);
}

const pictureTokens = 1600;

/** Of a tool's output a model is shown so many characters of its start and its end; the rest is read by reference. */
export const shownOutput = { start: 20_000, end: 10_000 } as const;

/** Tokens of a tool's output as it is shown. */
export function estimateShown(body: Body): number {
  const most = shownOutput.start + shownOutput.end;
  const tokens = estimateTokens(body);
  return lengthOf(body) <= most ? tokens : Math.ceil((tokens * most) / lengthOf(body));
}
