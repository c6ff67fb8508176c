import type { Actor } from './actor.ts';
import type { Call } from './call.ts';
import type { Attachment, Body } from './content.ts';
import { meaningOf, type Meaning } from './meaning.ts';
import { optional } from './optional.ts';

/** `steer` joins the running turn at its next step boundary; `queue` waits for its own turn. */
export type Delivery = 'steer' | 'queue';

/** The request: text for the agent, or calls that go straight to the gate and the tools. */
export type Request =
  | ({
      readonly type: 'chat';
      readonly text: Body;
      readonly attachments?: readonly Attachment[];
      // the meaning is determined when the prompt arrives
    } & Meaning)
  | { readonly type: 'task'; readonly calls: readonly Call[] }
  /** Summarize the older part of the conversation; `keep` says what matters. */
  | { readonly type: 'compact'; readonly keep?: Body };

export interface QueuedPrompt {
  /** The sequence of its event. Identifies the prompt. */
  readonly seq: number;
  readonly by: Actor;
  readonly delivery: Delivery;
  readonly request: Request;
}

/** A prompt after an edit: new text with its own meaning. */
export function editedChat(
  request: Extract<Request, { type: 'chat' }>,
  { text, meaning }: Pick<Extract<QueueChange, { type: 'edited' }>, 'text' | 'meaning'>,
): Extract<Request, { type: 'chat' }> {
  if (meaning === undefined) return { ...request, text };
  const { attachments } = request;
  return { type: 'chat', text, ...optional({ attachments }), ...meaningOf(meaning) };
}

export type QueueChange =
  /** `meaning` is that of the new text; without it the prompt keeps its meaning. */
  | { readonly type: 'edited'; readonly prompt: number; readonly text: Body; readonly meaning?: Meaning }
  | { readonly type: 'moved'; readonly prompt: number; readonly to: number }
  | { readonly type: 'removed'; readonly prompt: number }
  | { readonly type: 'cleared' }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' };
