/**
 * A schema for every event kind, to validate foreign journals and to publish as JSON Schema. Our own journal isn't
 * read through it: the checksum is enough.
 *
 * 1. The types equal the kernel's `Event`, field by field; otherwise `event-schemas.test.ts` doesn't compile.
 * 2. A schema only checks. The original value is used, including unknown fields.
 *
 * Importing this file loads zod.
 */
import { z } from 'zod';

import type { Event } from '../../kernel/event.ts';
import { agentAnswer, agentRequest, callSchema, callFacts } from './call-schemas.ts';
import { endingSchema, modelOutcome, toolResult, understanding } from './ending-schemas.ts';
import {
  questionAnswerSchema,
  deliverySchema,
  queueChange,
  questionSubject,
  requestSchema,
} from './prompt-schemas.ts';
import { agentReport, agentSetting, settingOutcome, workerReport } from './report-schemas.ts';
import {
  agentSchema,
  contextSchema,
  continuedSetup,
  fileCheckpoint,
  forkOrigin,
  limitsSchema,
  meaningSchema,
  modeSchema,
  ruleSchema,
  savedFiles,
  sessionSetup,
  summaryOutcome,
} from './session-schemas.ts';
import {
  actorSchema,
  amount,
  body,
  callIdSchema,
  effectIdSchema,
  milliseconds,
  place,
  questionIdSchema,
  sessionIdSchema,
  time,
  usageSchema,
} from './value-schemas.ts';

const refusalCode = z.enum(['policy', 'person', 'expired', 'interrupted', 'limit', 'graph']);
const text = z.string();

export const eventSchemas = {
  'session-created': event('session-created', sessionSetup),
  'session-forked': event('session-forked', { origin: forkOrigin, ...sessionSetup }),
  'prompt-received': event('prompt-received', { request: requestSchema, delivery: deliverySchema }),
  'queue-changed': event('queue-changed', { change: queueChange }),
  'turn-started': event('turn-started', { prompt: place }),
  'prompt-joined': event('prompt-joined', { prompt: place }),
  'model-call-intended': event('model-call-intended', {
    reserved: amount,
    maxOutputTokens: amount.exactOptional(),
  }),
  'model-settled': event('model-settled', { effect: effectIdSchema, outcome: modelOutcome }),
  'understanding-intended': event('understanding-intended', { reserved: amount }),
  'prompt-understood': event('prompt-understood', { effect: effectIdSchema, outcome: understanding }),
  'tool-run-intended': event('tool-run-intended', {
    call: callIdSchema,
    repeat: z.enum(['safe', 'never', 'ask']),
    rule: text.exactOptional(),
  }),
  'job-intended': event('job-intended', { call: callIdSchema }),
  'tool-settled': event('tool-settled', {
    call: callIdSchema,
    result: toolResult,
    followUps: z.array(callSchema).exactOptional(),
    sampled: z.object({ usage: usageSchema, model: z.string() }).exactOptional(),
  }),
  'call-refused': event('call-refused', {
    call: callIdSchema,
    code: refusalCode,
    reason: text,
    rule: text.exactOptional(),
  }),
  'agent-turn-intended': event('agent-turn-intended', {}),
  'agent-reported': event('agent-reported', { report: agentReport }),
  'agent-asked': event('agent-asked', { request: agentRequest }),
  'agent-asked-again': event('agent-asked-again', { key: text }),
  'agent-answered': event('agent-answered', {
    key: text,
    answer: agentAnswer,
    refused: refusalCode.exactOptional(),
    rule: text.exactOptional(),
    reason: text.exactOptional(),
  }),
  'agent-setting-chosen': event('agent-setting-chosen', { setting: agentSetting }),
  'agent-setting-settled': event('agent-setting-settled', { effect: effectIdSchema, outcome: settingOutcome }),
  'agent-turn-settled': event('agent-turn-settled', { ending: endingSchema, usage: usageSchema.exactOptional() }),
  'compaction-intended': event('compaction-intended', { why: z.enum(['asked', 'full']), reserved: amount }),
  'compaction-settled': event('compaction-settled', {
    effect: effectIdSchema,
    outcome: summaryOutcome,
    usage: usageSchema.exactOptional(),
  }),
  'effect-repeated': event('effect-repeated', { effect: effectIdSchema, attempt: place }),
  'question-opened': event('question-opened', { about: questionSubject, expiresAt: time.exactOptional() }),
  'question-answered': event('question-answered', {
    question: questionIdSchema,
    answer: questionAnswerSchema,
    meaning: meaningSchema.exactOptional(),
    edited: z.object({ call: callIdSchema, facts: callFacts }).exactOptional(),
  }),
  'question-closed': event('question-closed', {
    question: questionIdSchema,
    reason: z.enum(['expired', 'cancelled', 'superseded']),
  }),
  'wait-intended': event('wait-intended', {
    why: z.enum(['error-pause', 'provider-reset', 'wall-time', 'cancel-grace', 'question-expiry']),
    until: time,
    due: z.object({ boot: z.string(), uptime: z.number() }).exactOptional(),
  }),
  'wait-ended': event('wait-ended', { effect: effectIdSchema }),
  'turn-interrupted': event('turn-interrupted', { ending: endingSchema, thenClose: z.boolean().exactOptional() }),
  'turn-ended': event('turn-ended', { ending: endingSchema }),
  'agent-changed': event('agent-changed', { agent: agentSchema }),
  'title-changed': event('title-changed', { title: z.string() }),
  'mode-changed': event('mode-changed', { mode: modeSchema }),
  'policy-changed': event('policy-changed', {
    rules: z.array(ruleSchema),
    revoked: z.array(z.string()).exactOptional(),
  }),
  'limits-changed': event('limits-changed', { limits: limitsSchema }),
  'worker-reported': event('worker-reported', { report: workerReport }),
  'limit-neared': event('limit-neared', {
    name: z.enum(['tokens', 'cost', 'tool-calls']),
    used: amount,
    limit: amount,
  }),
  'verdict-reached': event('verdict-reached', {
    verdict: z.object({
      verdict: z.enum(['stuck', 'looping', 'crash-looping']),
      evidence: text,
      action: z.enum(['note', 'warn', 'stop']),
    }),
  }),
  'session-recovered': event('session-recovered', { epoch: place }),
  'files-saved': event('files-saved', { saved: savedFiles }),
  'place-moved': event('place-moved', {
    isFork: z.literal(true).exactOptional(),
    cwd: text,
    home: text.exactOptional(),
    machine: text.exactOptional(),
    missing: z.array(text),
  }),
  'push-settled': event('push-settled', {
    branch: text,
    commit: text.exactOptional(),
    problem: text.exactOptional(),
  }),
  'calls-described': event('calls-described', {
    calls: z.array(z.object({ call: callIdSchema, facts: callFacts })),
  }),
  'session-imported': event('session-imported', {
    session: sessionIdSchema,
    head: place,
    role: z.enum(['main', 'child', 'shared']),
    rondo: text.exactOptional(),
    damage: text.exactOptional(),
    parent: sessionIdSchema.exactOptional(),
  }),
  'session-continued': event('session-continued', continuedSetup),
  'session-closed': event('session-closed', { reason: text.exactOptional() }),
  rewound: event('rewound', { to: place, context: contextSchema }),
  'checkpoint-taken': event('checkpoint-taken', {
    checkpoint: fileCheckpoint,
    effect: effectIdSchema.exactOptional(),
  }),
  'restore-intended': event('restore-intended', {
    to: place,
    checkpoint: fileCheckpoint,
    rewind: z.object({ to: place, context: contextSchema }).exactOptional(),
  }),
  'files-restored': event('files-restored', {
    to: place,
    checkpoint: fileCheckpoint,
    before: fileCheckpoint,
    changed: body.exactOptional(),
  }),
  'restore-failed': event('restore-failed', { to: place, message: text }),
  custom: event('custom', { name: text, data: z.unknown() }),
} satisfies { readonly [Type in Event['type']]: z.ZodType };

/** When and by whom a record's events were caused. */
export const causeSchema = z.object({ at: milliseconds, by: actorSchema });

function event<Type extends Event['type'], Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}
