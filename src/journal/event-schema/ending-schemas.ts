/** How effects, turns and sessions end. Importing this file loads zod. */
import { z } from 'zod';

import { callSchema } from './call-schemas.ts';
import { meaningSchema } from './session-schemas.ts';
import { amount, body, time, usageSchema } from './value-schemas.ts';

const failureCode = z
  .enum([
    'limit-steps',
    'limit-tool-calls',
    'limit-rejections',
    'limit-denials',
    'limit-tokens',
    'limit-cost',
    'limit-wall-time',
    'limit-children',
    'model-auth',
    'model-refused',
    'model-unavailable',
    'model-rate-limited',
    'model-invalid',
    'model-context-full',
    'errors-in-row',
    'crash-loop',
    'looping',
    'stuck',
    'task-failed',
    'task-refused',
    'tool-only',
    'agent-failed',
    'agent-unavailable',
    'agent-timeout',
    'job-failed',
    'reply-rejected',
    'compaction-failed',
    'fault',
  ])
  .meta({ id: 'FailureCode' });

const failed = z.object({ type: z.literal('failed'), code: failureCode, message: z.string() });
const cancelled = z.object({ type: z.literal('cancelled'), reason: z.string().exactOptional() });
const timedOut = z.object({ type: z.literal('timed-out'), message: z.string() });

export const endingSchema = z
  .discriminatedUnion('type', [z.object({ type: z.literal('completed') }), failed, cancelled, timedOut])
  .meta({ id: 'Ending' });

const heard = { partial: body.exactOptional(), usage: usageSchema.exactOptional() };

export const modelOutcome = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('completed'),
    text: body,
    reasoning: body.exactOptional(),
    calls: z.array(callSchema),
    usage: usageSchema,
    stop: z.enum(['end', 'calls', 'length', 'refusal']),
    model: z.string().exactOptional(),
    contextTokens: amount.exactOptional(),
    sent: amount.exactOptional(),
    carry: z.unknown().exactOptional(),
  }),
  failed.extend({ retryable: z.boolean(), retryAt: time.exactOptional(), ...heard }),
  cancelled.extend(heard),
  timedOut.extend(heard),
]);

const askedModel = { usage: usageSchema.exactOptional(), model: z.string().exactOptional() };

export const understanding = z.discriminatedUnion('type', [
  z.object({ type: z.literal('understood'), meaning: meaningSchema, ...askedModel, usage: usageSchema }),
  z.object({ type: z.literal('unclear'), problem: z.string(), ...askedModel }),
  cancelled.extend({ usage: usageSchema.exactOptional() }),
]);

export const toolResult = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success'), output: body, data: z.unknown().exactOptional() }),
  z.object({
    type: z.literal('error'),
    code: z.string(),
    message: body,
    retryable: z.boolean().exactOptional(),
    fault: z.boolean().exactOptional(),
  }),
  z.object({ type: z.literal('cancelled'), output: body.exactOptional() }),
]);
