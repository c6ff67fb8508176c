import { hash } from 'node:crypto';

import type { ClientInput } from '../client-input.ts';

/**
 * The digest of what a key stands for: the client's input, with fields in any order and defaults filled in. It
 * excludes the interpretation of the text, which may differ from one day to the next.
 */
export function digestOf(input: ClientInput): string {
  const isDelivered = input.type === 'chat' || input.type === 'task' || input.type === 'tasks';
  return digestOfText(JSON.stringify(isDelivered ? { delivery: 'queue', ...input } : input, inOrder));
}

/** Stored instead of the text, which the journal already has. */
export function digestOfText(text: string): string {
  return hash('sha256', text, 'base64url');
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
