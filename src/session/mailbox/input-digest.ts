import { hash } from 'node:crypto';

import type { ClientInput } from '../client-input.ts';

/**
 * What a key stands for: what the client said, in whatever order it put it, with what it left to the default.
 * How the words are understood may differ from one day to the next and is not of it.
 */
export function digestOf(input: ClientInput): string {
  const isDelivered = input.type === 'chat' || input.type === 'task' || input.type === 'tasks';
  return digestOfText(JSON.stringify(isDelivered ? { delivery: 'queue', ...input } : input, inOrder));
}

/** Kept in place of the text, which is in the journal already. */
export function digestOfText(text: string): string {
  return hash('sha256', text, 'base64url');
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
