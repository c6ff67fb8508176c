import type { BlobHash } from './ids.ts';

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

/** Four characters a token: used wherever a provider gave no count, and marked as an estimate there. */
export function estimateTokens(body: Body): number {
  return Math.ceil(lengthOf(body) / 4);
}

/** Of a tool's output a model is shown so many characters of its start and its end; the rest is read by reference. */
export const shownOutput = { start: 20_000, end: 10_000 } as const;

/** Tokens of a tool's output as it is shown. */
export function estimateShown(body: Body): number {
  return Math.ceil(Math.min(lengthOf(body), shownOutput.start + shownOutput.end) / 4);
}
