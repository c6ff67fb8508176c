/**
 * Schemas of Rondo's output for readers in other languages: the lines of `rondo run --json` and WebSocket messages.
 * They are published in docs/schemas and tested against real output. Objects are open: later releases add fields,
 * and readers ignore unknown ones.
 */
import { z } from 'zod';

import type { Actor } from '../kernel/actor.ts';
import type { Result } from '../views/result.ts';
import { errorCodes } from './error-code.ts';
import type { ServerMessage } from './server-message.ts';

const seq = z.int().min(0);
const time = z.int().describe('Milliseconds since 1970.');
const session = z.string().regex(/^ses_[a-z0-9]+$/);
const effect = z.string().describe('`<session>.<sequence of its intent>`');
const open = z.looseObject({});

const actor = z
  .looseObject({
    type: z.enum(['person', 'program', 'agent', 'worker', 'system'] satisfies readonly Actor['type'][]),
    name: z.string(),
  })
  .describe('Who brought it about.');

const question = z.looseObject({
  id: z.string().regex(/^q_[a-z0-9]+$/),
  openedAt: time,
  about: z.looseObject({ type: z.string() }),
});

/** The last line of `rondo run --json`, in every case. */
export const resultSchema = z.looseObject({
  type: z.literal('result'),
  session: session.optional().describe('Missing where the run failed before there was one.'),
  outcome: z.enum([
    'completed',
    'failed',
    'needs-input',
    'refused',
    'limit',
    'unavailable',
    'timed-out',
    'cancelled',
  ] satisfies readonly Result['outcome'][]),
  reason: z.string().optional().describe('Why, where it did not complete.'),
  text: z.string().describe('What the agent said.'),
  usage: z.looseObject({
    inputTokens: z.int().min(0),
    outputTokens: z.int().min(0),
    cost: z.number().min(0).describe('US dollars.'),
    costIsKnown: z.boolean().describe('False where the price of a model is not known: the cost is then too low.'),
    children: z
      .looseObject({ inputTokens: z.int().min(0), outputTokens: z.int().min(0), cost: z.number().min(0) })
      .optional()
      .describe('The part of it that sub-agents used.'),
  }),
  steps: z.int().min(0),
  toolCalls: z.int().min(0),
  questions: z.array(question).describe('What is still asked; `rondo answer ID …` answers.'),
  refusals: z
    .array(z.looseObject({ tool: z.string(), summary: z.string(), rule: z.string() }))
    .describe('Calls that a rule or a person refused.'),
  resume: z.string().optional().describe('The command that resumes it.'),
});

/** A flat event, as in `--json`, HTTP and SSE. Other fields depend on its type. */
const flatEventSchema = z.looseObject({ seq: z.int().min(1), at: time, by: actor, type: z.string() });

const progressFields = {
  effect,
  attempt: z.int().min(1),
  kind: z.enum(['text', 'reasoning', 'output', 'status']),
  offset: z.int().min(0).describe('Counts within its effect, attempt and kind.'),
  text: z.string(),
};

/** A line of `rondo run --json`. */
export const runLineSchema = z.union([
  resultSchema,
  z.looseObject({ type: z.literal('progress'), ...progressFields }),
  z.looseObject({ type: z.literal('gap'), from: seq, to: seq }),
  flatEventSchema,
]);

const v = z.literal(1);
const messages = {
  welcome: z.looseObject({
    v,
    type: z.literal('welcome'),
    server: z.looseObject({ name: z.string(), version: z.string(), instance: z.string() }),
    limits: z.looseObject({
      messageBytes: z.int(),
      messagesPerSecond: z.number(),
      pingMs: z.number(),
      silenceMs: z.number(),
    }),
    role: z.string(),
    actor: z.string(),
  }),
  ok: z
    .looseObject({ v, type: z.literal('ok'), id: z.string(), seq: seq.optional(), session: session.optional() })
    .describe('The answer to the message of that id; with `seq`, what was sent is durable.'),
  error: z.looseObject({
    v,
    type: z.literal('error'),
    id: z.string().optional(),
    session: z.string().optional(),
    code: z.enum(errorCodes),
    message: z.string(),
    recoverable: z.boolean(),
  }),
  snapshot: z.looseObject({
    v,
    type: z.literal('snapshot'),
    session,
    seq,
    view: z
      .looseObject({ status: open, transcript: z.looseObject({ items: z.array(open) }), streaming: z.array(open) })
      .describe('The session at `seq`; events from `seq` + 1 on follow.'),
  }),
  event: z.looseObject({
    v,
    type: z.literal('event'),
    session,
    seq: z.int().min(1),
    at: time,
    by: actor,
    event: z.looseObject({ type: z.string() }),
  }),
  progress: z.looseObject({ v, type: z.literal('progress'), session, ...progressFields }),
  gap: z
    .looseObject({ v, type: z.literal('gap'), session, from: seq, to: seq })
    .describe('Events that were passed over because the reader fell behind; a snapshot follows.'),
  directory: z.looseObject({
    v,
    type: z.literal('directory'),
    kind: z.enum(['page', 'changed']),
    entries: z.array(z.looseObject({ session })),
  }),
  questions: z
    .looseObject({
      v,
      type: z.literal('questions'),
      kind: z.enum(['page', 'changed']),
      session: session.optional(),
      questions: z.array(z.looseObject({ id: z.string(), session, openedAt: time, about: open })),
    })
    .describe(
      'First the open questions of all sessions. Then, on each change, all open questions of that session.',
    ),
  pong: z.looseObject({ v, type: z.literal('pong'), id: z.string().optional() }),
} satisfies Record<ServerMessage['type'], z.ZodType>;

export const serverMessageSchema = z.discriminatedUnion('type', [
  messages.welcome,
  messages.ok,
  messages.error,
  messages.snapshot,
  messages.event,
  messages.progress,
  messages.gap,
  messages.directory,
  messages.questions,
  messages.pong,
]);
