/** Prompts, questions and answers. Importing this file loads zod. */
import { z } from 'zod';

import { callSchema, permissionOption } from './call-schemas.ts';
import { meaningSchema } from './session-schemas.ts';
import { attachment, body, callIdSchema, effectSchema, place } from './value-schemas.ts';

export const requestSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('chat'),
    text: body,
    attachments: z.array(attachment).exactOptional(),
    ...meaningSchema.shape,
  }),
  z.object({ type: z.literal('task'), calls: z.array(callSchema) }),
  z.object({ type: z.literal('compact'), keep: body.exactOptional() }),
]);

export const deliverySchema = z.enum(['steer', 'queue']);

export const queueChange = z.discriminatedUnion('type', [
  z.object({ type: z.literal('edited'), prompt: place, text: body, meaning: meaningSchema.exactOptional() }),
  z.object({ type: z.literal('moved'), prompt: place, to: place }),
  z.object({ type: z.literal('removed'), prompt: place }),
  z.object({ type: z.literal('cleared') }),
  z.object({ type: z.literal('paused') }),
  z.object({ type: z.literal('resumed') }),
]);

export const questionSubject = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('approval'),
    call: callIdSchema,
    tool: z.string(),
    rule: z.string(),
    reason: z.string(),
    unit: z.string().exactOptional(),
    effect: effectSchema.exactOptional(),
    parts: z.number().int().exactOptional(),
    covered: z.array(z.object({ part: z.string(), rule: z.string() })).exactOptional(),
    grants: z.array(z.string()),
    request: z.string().exactOptional(),
    title: z.string().exactOptional(),
    options: z.array(permissionOption).exactOptional(),
  }),
  z.object({ type: z.literal('reply-review'), reply: place }),
  z.object({
    type: z.literal('repeat'),
    what: z.string(),
    call: callIdSchema.exactOptional(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('clarification'),
    text: body,
    options: z.array(z.string()),
    call: callIdSchema.exactOptional(),
  }),
  z.object({
    type: z.literal('form'),
    title: z.string(),
    schema: z.unknown(),
    url: z.string().exactOptional(),
    call: callIdSchema.exactOptional(),
    request: z.string().exactOptional(),
    permits: z.literal(true).exactOptional(),
  }),
]);

export const questionAnswerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('allow-once') }),
  z.object({ type: z.literal('allow-edited'), args: body }),
  z.object({ type: z.literal('allow-session') }),
  z.object({ type: z.literal('allow-always') }),
  z.object({ type: z.literal('reject'), reason: z.string().exactOptional() }),
  z.object({ type: z.literal('option'), option: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('form'), form: z.unknown() }),
]);
