/**
 * Schemas of the values in events. Objects allow unknown fields, which a later Rondo may add. Importing this file
 * loads zod.
 */
import { z } from 'zod';

import type { Actor } from '../../kernel/actor.ts';
import { effects } from '../../kernel/effect.ts';
import type { BlobHash, CallId, EffectId, JobId, QuestionId, SessionId, WorkerId } from '../../kernel/ids.ts';
import type { Time } from '../../kernel/time.ts';

const idOf = <Id extends string>(name: string, shape: RegExp, words: string) =>
  z.string().regex(shape, `must be ${words}`).meta({ id: name }) as unknown as z.ZodType<Id>;

export const sessionIdSchema = idOf<SessionId>('SessionId', /^[\w-]+$/, 'the id of a session');
/** Includes the ids of an agent's texts; see `agentTextOf`. */
export const effectIdSchema = idOf<EffectId>(
  'EffectId',
  /^[\w-]+\.\d+(\/\d+-\d+)?$/,
  'the id of an effect: <session>.<event>',
);
export const questionIdSchema = idOf<QuestionId>('QuestionId', /^q_\w+$/, 'the id of a question: q_…');
export const callIdSchema = idOf<CallId>('CallId', /^/, 'the id of a call');
export const workerIdSchema = idOf<WorkerId>('WorkerId', /^./s, 'the id of a worker');
export const jobIdSchema = idOf<JobId>('JobId', /^./s, 'the id of a job');
const blobHash = idOf<BlobHash>('BlobHash', /^[0-9a-f]{64}$/, 'the SHA-256 of a blob in hexadecimal');

/** An event's sequence, or another count from 0. */
export const place = z.int().min(0);
export const amount = z.number();
/** A call's effect. */
export const effectSchema = z.enum(effects).meta({ id: 'Effect' });
/** Milliseconds since 1970, within the range of a Date. */
export const milliseconds = z.number().min(-8.64e15).max(8.64e15);
/** Older journals may have fractions. */
export const time = milliseconds as unknown as z.ZodType<Time>;

export const blobRef = z.object({ blob: blobHash, length: place, preview: z.string() });

export const body = z
  .union([z.string(), blobRef], 'must be a text, or a blob with its length and preview')
  .meta({ id: 'Body' });

export const attachment = z.object({ name: z.string(), mediaType: z.string(), content: body });

export const actorSchema = z.object({
  type: z.enum(['person', 'program', 'agent', 'worker', 'system'] satisfies Actor['type'][]),
  name: z.string(),
});

export const usageSchema = z
  .object({
    inputTokens: amount,
    outputTokens: amount,
    cachedTokens: amount.exactOptional(),
    reasoningTokens: amount.exactOptional(),
    cost: amount.exactOptional(),
    estimated: z.boolean().exactOptional(),
  })
  .meta({ id: 'Usage' });
