import type { Actor } from './actor.ts';
import type { Call } from './call.ts';
import type { Attachment, Body } from './content.ts';
import type { Meaning } from './meaning.ts';

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

export type QueueChange =
  | { readonly type: 'edited'; readonly prompt: number; readonly text: Body }
  | { readonly type: 'moved'; readonly prompt: number; readonly to: number }
  | { readonly type: 'removed'; readonly prompt: number }
  | { readonly type: 'cleared' }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' };
