/** Queries and bodies of the HTTP interface that are not inputs to a session. */
import { z } from 'zod';

import { sessionId } from './input-schema.ts';

const whole = z.coerce.number().int().min(0);
const word = z.string().min(1).max(200);

export const directoryQuery = z.strictObject({
  state: z.enum(['idle', 'running', 'waiting', 'cancelling', 'closed']).exactOptional(),
  agent: word.exactOptional(),
  parent: sessionId.exactOptional(),
  q: z.string().max(500).exactOptional(),
  limit: whole.min(1).max(1000).exactOptional(),
  cursor: z.string().max(500).exactOptional(),
});

export const eventsQuery = z.strictObject({
  after: whole.exactOptional(),
  limit: whole.min(1).max(5000).exactOptional(),
});

export const transcriptQuery = z.strictObject({
  before: z
    .string()
    .regex(/^\d+(\.\d+)?$/, 'must be the id of an item')
    .exactOptional(),
  limit: whole.min(1).max(1000).exactOptional(),
});

export const sessionQuery = z.strictObject({
  session: sessionId.exactOptional(),
  limit: whole.min(1).max(5000).exactOptional(),
});

export const filesQuery = z.strictObject({
  q: z.string().max(500),
  session: sessionId.exactOptional(),
  limit: whole.min(1).max(200).exactOptional(),
});

export const queueBody = z.union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ to: whole })]);

export const roles = ['viewer', 'prompter', 'approver', 'owner'] as const;
export type Role = (typeof roles)[number];

export const tokenBody = z.strictObject({
  name: z.string().regex(/^[\w.@ -]{1,100}$/, 'must be letters, digits, blanks and . _ @ -'),
  role: z.enum(roles),
  days: z.coerce.number().int().min(1).max(3650).exactOptional(),
});

export const loginBody = z.union([
  z.strictObject({ code: z.string().min(1).max(200) }),
  z.strictObject({ token: z.string().min(1).max(500) }),
]);
