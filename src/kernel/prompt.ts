import type { Actor } from './actor.ts';
import type { Call } from './call.ts';
import type { Attachment, Body } from './content.ts';
import { meaningOf, type Meaning } from './meaning.ts';

/** `steer` joins the running turn at its next step boundary; `queue` waits for a turn of its own. */
export type Delivery = 'steer' | 'queue';

/** What was asked: words for the agent, or calls that go straight to the gate and the tools. */
export type Request =
  | ({
      readonly type: 'chat';
      readonly text: Body;
      readonly attachments?: readonly Attachment[];
      // the meaning is worked out when the prompt arrives
    } & Meaning)
  | { readonly type: 'task'; readonly calls: readonly Call[] }
  /** The older part of the conversation is to become a summary; `keep` says what matters. */
  | { readonly type: 'compact'; readonly keep?: Body };

export interface QueuedPrompt {
  /** Sequence of the event that brought it; names the prompt for edits and for the turn that takes it. */
  readonly seq: number;
  readonly by: Actor;
  readonly delivery: Delivery;
  readonly request: Request;
}

/** A prompt after an edit: other words, and what they mean in place of what the old ones meant. */
export function editedChat(
  request: Extract<Request, { type: 'chat' }>,
  { text, meaning }: Pick<Extract<QueueChange, { type: 'edited' }>, 'text' | 'meaning'>,
): Extract<Request, { type: 'chat' }> {
  if (meaning === undefined) return { ...request, text };
  const { attachments } = request;
  return { type: 'chat', text, ...(attachments !== undefined && { attachments }), ...meaningOf(meaning) };
}

export type QueueChange =
  /** `meaning` is what the new text means; without it the prompt keeps the one it had. */
  | { readonly type: 'edited'; readonly prompt: number; readonly text: Body; readonly meaning?: Meaning }
  | { readonly type: 'moved'; readonly prompt: number; readonly to: number }
  | { readonly type: 'removed'; readonly prompt: number }
  | { readonly type: 'cleared' }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' };
