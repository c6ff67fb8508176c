/** Messages from WebSocket clients, one schema each. Any other message gets an error. */
import { z } from 'zod';

import { isJsonObject } from '../kernel/json-object.ts';
import type { ClientError } from './error-code.ts';
import {
  answerSchema,
  createSchema,
  firstIssue,
  idempotencyKey,
  inputSchema,
  questionId,
  sessionId,
} from './input-schema.ts';
import { nearestName } from '../kernel/nearest-name.ts';
import { parseStrictJson } from './strict-json.ts';

const protocolVersion = 1;

const v = z.literal(protocolVersion);
const id = z.string().min(1).max(200);
const seq = z.int().min(0);

export const clientMessages = {
  hello: z.strictObject({
    v,
    type: z.literal('hello'),
    id: id.exactOptional(),
    token: z.string().max(2000).exactOptional(),
    client: z.string().max(200).exactOptional(),
  }),
  'session.create': z.strictObject({
    v,
    type: z.literal('session.create'),
    id,
    key: idempotencyKey.exactOptional(),
    session: createSchema.exactOptional(),
  }),
  'session.follow': z.strictObject({
    v,
    type: z.literal('session.follow'),
    id: id.exactOptional(),
    session: sessionId,
    after: seq.exactOptional(),
  }),
  'session.unfollow': z.strictObject({
    v,
    type: z.literal('session.unfollow'),
    id: id.exactOptional(),
    session: sessionId,
  }),
  'session.input': z.strictObject({
    v,
    type: z.literal('session.input'),
    id,
    session: sessionId,
    key: idempotencyKey,
    input: inputSchema,
  }),
  'session.stop': z.strictObject({
    v,
    type: z.literal('session.stop'),
    id,
    session: sessionId,
    reason: z.string().max(2000).exactOptional(),
  }),
  'question.answer': z.strictObject({
    v,
    type: z.literal('question.answer'),
    id,
    question: questionId,
    key: idempotencyKey.exactOptional(),
    answer: answerSchema,
  }),
  'directory.follow': z.strictObject({ v, type: z.literal('directory.follow'), id: id.exactOptional() }),
  'questions.follow': z.strictObject({ v, type: z.literal('questions.follow'), id: id.exactOptional() }),
  ping: z.strictObject({ v, type: z.literal('ping'), id: id.exactOptional() }),
} as const;

export type ClientMessage = z.infer<(typeof clientMessages)[keyof typeof clientMessages]>;

type ReadMessage =
  | { readonly type: 'message'; readonly message: ClientMessage }
  | { readonly type: 'error'; readonly error: ClientError; readonly id?: string };

export function readClientMessage(text: string): ReadMessage {
  const parsed = parseStrictJson(text);
  if (parsed.type === 'invalid') return invalid(`Can't parse the message: ${parsed.reason}.`);
  const { value } = parsed;
  if (!isJsonObject(value)) return invalid('A message must be a JSON object.');
  const { v: version, type, id: given } = value;
  const from = typeof given === 'string' && given.length <= 200 ? { id: given } : {};
  const missing = [
    ...(typeof version === 'number' ? [] : ['"v", a number']),
    ...(typeof type === 'string' ? [] : ['"type", a text']),
  ];
  if (missing.length > 0) return invalid(`A message needs ${missing.join(' and ')}.`, from);
  if (version !== protocolVersion) {
    const message = `This server speaks version ${protocolVersion}; the message has version ${String(version)}.`;
    return { type: 'error', error: { code: 'VERSION_MISMATCH', message }, ...from };
  }
  if (!isMessageType(type)) {
    const name = String(type).slice(0, 50);
    const near = nearestName(name, Object.keys(clientMessages));
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
    return invalid(`Unknown message "${name}".${hint}`, from);
  }
  const checked = clientMessages[type].safeParse(value);
  if (!checked.success) return invalid(`${type}: ${firstIssue(checked.error)}.`, from);
  return { type: 'message', message: checked.data };
}

function isMessageType(type: unknown): type is keyof typeof clientMessages {
  return typeof type === 'string' && Object.hasOwn(clientMessages, type);
}

function invalid(message: string, from: { readonly id?: string } = {}): ReadMessage {
  return { type: 'error', error: { code: 'INVALID_MESSAGE', message }, ...from };
}
