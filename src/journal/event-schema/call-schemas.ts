/** Tool calls and external agents' requests. Importing this file loads zod. */
import { z } from 'zod';

import { amount, body, callIdSchema, effectSchema } from './value-schemas.ts';

const callQuestion = z.discriminatedUnion('type', [
  z.object({ type: z.literal('clarification'), text: body, options: z.array(z.string()) }),
  z.object({ type: z.literal('form'), title: z.string(), schema: z.unknown() }),
]);

const setFact = z.object({ name: z.enum(['edits', 'commits', 'checks']), pin: z.string().exactOptional() });

export const callFacts = z.object({
  access: z.enum(['read', 'write', 'execute', 'network', 'talk']),
  segments: z
    .array(
      z.object({
        text: z.string(),
        opaque: z.boolean().exactOptional(),
        also: z.array(z.string()).exactOptional(),
        effect: effectSchema.exactOptional(),
        raisedBy: z.string().exactOptional(),
        pin: z.string().exactOptional(),
        folder: z.string().exactOptional(),
        once: z.boolean().exactOptional(),
        mild: z.boolean().exactOptional(),
        free: z.boolean().exactOptional(),
        set: setFact.exactOptional(),
      }),
    )
    .exactOptional(),
  paths: z
    .array(
      z.object({
        path: z.string(),
        access: z.enum(['read', 'write']),
        inside: z.boolean(),
        sensitive: z.boolean().exactOptional(),
        protects: z.string().exactOptional(),
        set: setFact.exactOptional(),
      }),
    )
    .exactOptional(),
  urls: z.array(z.string()).exactOptional(),
  dangers: z
    .array(
      z.object({
        rule: z.string(),
        severity: z.enum(['deny', 'ask']),
        reason: z.string(),
        unit: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  grants: z.array(z.string()).exactOptional(),
  confined: z.literal(true).exactOptional(),
  discards: z.enum(['asked', 'kept']).exactOptional(),
  deletes: z.array(z.string()).exactOptional(),
  repeat: z.enum(['safe', 'never', 'ask']),
  order: z.enum(['parallel', 'exclusive']),
  runs: z.enum(['tool', 'job']),
  asks: callQuestion.exactOptional(),
  problem: z.object({ code: z.string(), message: z.string() }).exactOptional(),
});

export const callSchema = z
  .object({
    id: callIdSchema,
    tool: z.string(),
    args: body,
    facts: callFacts,
    after: z.array(callIdSchema).exactOptional(),
    priority: amount.exactOptional(),
    follows: callIdSchema.exactOptional(),
  })
  .meta({ id: 'Call' });

export const permissionOption = z
  .object({
    id: z.string(),
    kind: z.enum(['allow-once', 'allow-always', 'reject-once', 'reject-always']),
    name: z.string(),
  })
  .meta({ id: 'PermissionOption' });

export const agentRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('permission'),
    key: z.string(),
    call: callSchema,
    title: z.string().exactOptional(),
    options: z.array(permissionOption),
  }),
  z.object({
    type: z.literal('form'),
    key: z.string(),
    message: z.string(),
    schema: z.unknown(),
    url: z.string().exactOptional(),
  }),
]);

export const agentAnswer = z.discriminatedUnion('type', [
  z.object({ type: z.literal('option'), option: z.string() }),
  z.object({ type: z.literal('form'), form: z.unknown() }),
  z.object({ type: z.literal('declined') }),
  z.object({ type: z.literal('cancelled') }),
]);
