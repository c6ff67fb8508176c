/** A session's set-up and context. Importing this file loads zod. */
import { z } from 'zod';

import { limitKinds, type Limits } from '../../kernel/limits.ts';
import { amount, blobRef, body, effectSchema, milliseconds, place, sessionIdSchema } from './value-schemas.ts';

export const ruleSchema = z
  .object({
    verdict: z.enum(['allow', 'ask', 'deny']),
    tool: z.string(),
    pattern: z.string().exactOptional(),
    effect: effectSchema.exactOptional(),
    pin: z.string().exactOptional(),
    folder: z.string().exactOptional(),
    unless: z.array(z.string()).exactOptional(),
    origin: z.enum(['managed', 'built-in', 'user', 'project', 'agent', 'session', 'flag', 'prompt']),
    because: z.string().exactOptional(),
  })
  .meta({ id: 'Rule' });

export const agentSchema = z.object({
  name: z.string(),
  runs: z.enum(['model', 'external']),
  model: z.string().exactOptional(),
  tools: z.union([z.enum(['none', 'all']), z.object({ only: z.array(z.string()) })]).exactOptional(),
  needs: z.array(z.string()).exactOptional(),
});

export const modeSchema = z.object({
  name: z.string(),
  asks: z.enum(['anyone', 'nobody']),
  calls: z.enum(['by-policy', 'every']),
  replies: z.enum(['free', 'reviewed']),
  model: z.enum(['answers', 'none']),
  ends: z.enum(['after-turn', 'when-idle', 'when-inputs-end']),
  lines: z.enum(['calls-first']).exactOptional(),
});

export const limitsSchema = z
  .object(
    Object.fromEntries(Object.keys(limitKinds).map((name) => [name, amount.exactOptional()])) as Record<
      keyof Limits,
      z.ZodExactOptional<z.ZodNumber>
    >,
  )
  .meta({ id: 'Limits' });

export const meaningSchema = z.object({
  intent: z.unknown().exactOptional(),
  rules: z.array(ruleSchema).exactOptional(),
  understand: z.literal('model').exactOptional(),
  clarify: z.object({ text: z.string(), options: z.array(z.string()) }).exactOptional(),
});

const span = z.object({ session: sessionIdSchema.exactOptional(), from: place, to: place });

export const contextSchema = z
  .object({
    from: place,
    messages: amount,
    tokens: amount,
    spans: z.array(span).exactOptional(),
    compaction: z.object({ session: sessionIdSchema.exactOptional(), seq: place }).exactOptional(),
    window: amount.exactOptional(),
    counted: z.object({ estimate: amount, input: amount, sent: amount.exactOptional() }).exactOptional(),
  })
  .meta({ id: 'Context' });

/** Its address, and the branch of its result. */
const repositoryPlace = z.object({
  url: z.string(),
  ref: z.string().exactOptional(),
  base: z.string(),
  branch: z.string(),
  folder: z.string().exactOptional(),
  push: z.boolean(),
  home: z.string(),
});

export const savedFiles = z.object({
  commit: z.string(),
  branch: z.string().exactOptional(),
  bundle: blobRef,
  isComplete: z.literal(true).exactOptional(),
  leftOut: z.array(z.string()),
});

export const sessionSetup = {
  agent: agentSchema,
  mode: modeSchema,
  cwd: z.string(),
  place: repositoryPlace.exactOptional(),
  machine: z.string().exactOptional(),
  title: z.string().exactOptional(),
  parent: sessionIdSchema.exactOptional(),
  limits: limitsSchema.exactOptional(),
  rules: z.array(ruleSchema).exactOptional(),
};

export const continuedSetup = {
  agent: agentSchema,
  mode: modeSchema,
  cwd: z.string(),
  limits: limitsSchema.exactOptional(),
  rules: z.array(ruleSchema).exactOptional(),
};

export const forkOrigin = z.object({ session: sessionIdSchema, at: place, context: contextSchema });

const keptFacts = z.object({
  constraints: z.array(z.string()),
  open: z.array(z.string()),
  files: z.array(z.string()),
});

const rest = z.object({
  from: place,
  spans: z.array(span).exactOptional(),
  messages: amount,
  tokens: amount,
  restated: z.array(place).exactOptional(),
});

export const summaryOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('completed'), summary: body, kept: keptFacts, rest }),
  z.object({
    type: z.literal('failed'),
    message: z.string(),
    rest: rest.exactOptional(),
    kept: keptFacts.exactOptional(),
  }),
  z.object({ type: z.literal('unneeded'), message: z.string() }),
  z.object({ type: z.literal('cancelled'), reason: z.string().exactOptional() }),
]);

export const fileCheckpoint = z
  .object({
    label: z.string(),
    at: milliseconds,
    root: z.string(),
    kept: z.discriminatedUnion('type', [
      z.object({
        type: z.literal('git'),
        commit: z.string(),
        ref: z.string(),
        head: z.string().exactOptional(),
      }),
      z.object({ type: z.literal('copies'), number: place }),
    ]),
  })
  .meta({ id: 'FileCheckpoint' });
