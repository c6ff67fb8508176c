/** Reports of children and external agents. Importing this file loads zod. */
import { z } from 'zod';

import {
  amount,
  body,
  effectIdSchema,
  jobIdSchema,
  questionIdSchema,
  sessionIdSchema,
  usageSchema,
  workerIdSchema,
} from './value-schemas.ts';

export const workerReport = z.object({
  worker: workerIdSchema,
  state: z.enum(['spawned', 'progressed', 'completed', 'failed', 'stalled', 'cancelled']),
  text: body.exactOptional(),
  usage: usageSchema.exactOptional(),
  toolCalls: amount.exactOptional(),
  unpricedCalls: amount.exactOptional(),
  allotment: z
    .object({
      tokens: amount.exactOptional(),
      cost: amount.exactOptional(),
      toolCalls: amount.exactOptional(),
      children: amount.exactOptional(),
    })
    .exactOptional(),
  job: jobIdSchema.exactOptional(),
  session: sessionIdSchema.exactOptional(),
  question: questionIdSchema.exactOptional(),
});

const choice = z.object({ id: z.string(), name: z.string() });

const modeReport = z.object({ type: z.literal('mode'), mode: z.string(), modes: z.array(choice).exactOptional() });
const optionsReport = z.object({
  type: z.literal('options'),
  options: z.array(
    choice.extend({
      value: z.union([z.string(), z.boolean()]),
      category: z.string().exactOptional(),
      choices: z.array(choice).exactOptional(),
    }),
  ),
});

export const agentReport = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message'), text: body, effect: effectIdSchema.exactOptional() }),
  z.object({ type: z.literal('thought'), text: body, effect: effectIdSchema.exactOptional() }),
  z.object({
    type: z.literal('tool-call'),
    call: z.string(),
    title: z.string().exactOptional(),
    kind: z.string().exactOptional(),
    state: z.enum(['pending', 'in-progress', 'completed', 'failed']),
    counts: z.literal(true).exactOptional(),
    content: body.exactOptional(),
    diffs: z.array(z.object({ path: z.string(), before: body.exactOptional(), after: body })).exactOptional(),
    paths: z.array(z.string()).exactOptional(),
  }),
  z.object({ type: z.literal('plan'), entries: z.array(z.object({ text: z.string(), state: z.string() })) }),
  z.object({
    type: z.literal('usage'),
    usage: usageSchema,
    counted: z.object({ tokens: amount.exactOptional(), cost: amount.exactOptional() }).exactOptional(),
  }),
  modeReport,
  optionsReport,
  z.object({
    type: z.literal('session'),
    agent: z.string(),
    id: z.string(),
    how: z.enum(['started', 'resumed', 'loaded', 'replaced']),
    lost: z.string().exactOptional(),
  }),
  z.object({ type: z.literal('notice'), severity: z.enum(['info', 'warning', 'error']), text: z.string() }),
  z.object({
    type: z.literal('commands'),
    commands: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
]);

export const agentSetting = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mode'), mode: z.string() }),
  z.object({ type: z.literal('option'), option: z.string(), value: z.union([z.string(), z.boolean()]) }),
]);

export const settingOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('taken'), report: z.discriminatedUnion('type', [modeReport, optionsReport]) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
