/**
 * Reads what an owner's address sends to a follower's node. Another program may listen there by now, and a newer
 * release may send more, so nothing is believed unread.
 */
import { z } from 'zod';

import type { EffectId, SessionId } from '../../kernel/ids.ts';
import type { Progress } from '../../ports/update.ts';
import { streamSoFar } from '../../session/follow/stream-position.ts';

const seq = z.int().min(0);
const attempt = z.int().min(1);
const words = z.string();
const effectOf = (session: SessionId) =>
  z.custom<EffectId>((value) => typeof value === 'string' && value.startsWith(`${session}.`));

const schemaFor = (session: SessionId) => ({
  progress: z.object({
    type: z.literal('progress'),
    effect: effectOf(session),
    attempt,
    kind: z.enum(['text', 'reasoning', 'output', 'status']),
    offset: z.int().min(0),
    text: words,
  }),
  event: z.object({ seq }),
  snapshot: z.object({
    seq,
    view: z.object({
      streaming: z.array(
        z.object({ effect: effectOf(session), attempt, text: words, reasoning: words, output: words }),
      ),
    }),
  }),
});

interface OwnerMessage {
  /** The owner committed events up to this sequence. */
  readonly committed?: number;
  readonly progress: readonly Progress[];
}

export interface OwnerReader {
  /** Undefined if no owner sends this: the connection leads elsewhere. */
  read(text: string): OwnerMessage | undefined;
}

/** One per connection: it follows one session. */
export function createOwnerReader(session: SessionId): OwnerReader {
  const schemas = schemaFor(session);
  return {
    read(text) {
      const message = objectIn(text);
      if (message === undefined || message['type'] === 'error') return undefined;
      if (message['session'] !== session) return { progress: [] };
      switch (message['type']) {
        case 'progress': {
          const { data } = schemas.progress.safeParse(message);
          return data && { progress: [data] };
        }
        case 'event': {
          const { data } = schemas.event.safeParse(message);
          return data && { committed: data.seq, progress: [] };
        }
        case 'snapshot': {
          const { data } = schemas.snapshot.safeParse(message);
          return (
            data && { committed: data.seq, progress: data.view.streaming.flatMap((one) => [...streamSoFar(one)]) }
          );
        }
        default:
          return { progress: [] };
      }
    },
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
