import type { Actor } from '../kernel/actor.ts';
import type { BlobRef } from '../kernel/content.ts';
import type { Conversation } from '../kernel/conversation/conversation.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Message } from '../kernel/message.ts';
import type { State } from '../kernel/state.ts';

/** The session that an effect works for. */
export interface EffectHost {
  readonly session: SessionId;
  /** Of the claim this owner works under. A later owner has a higher one. */
  readonly epoch: number;
  /** Of a session that is not written yet: what it will be once its set-up is. */
  readonly state: State;
  /** Read when the effect starts; see kernel/conversation.ts for why it need not be copied. */
  messages(): readonly Message[] | Promise<readonly Message[]>;
  /** What an external agent is told with its present turn, and what was said before. */
  agentPrompt(): Promise<AgentPrompt>;
  /** The messages with the places where they may be cut. */
  conversation(): Promise<Conversation>;
  /** `by` is the runtime itself unless somebody else is named. */
  deliver(input: InputBody, by?: Actor): void;
  /** A question asked here was left open: from now on only others can answer it. */
  leftOpen(): void;
  progress(progress: EffectProgress): void;
  readonly read: (ref: BlobRef) => Promise<string>;
}

export interface AgentPrompt {
  readonly before: readonly Message[];
  readonly told: readonly Message[];
}

export interface EffectProgress {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly kind: 'text' | 'reasoning' | 'output' | 'status';
  readonly text: string;
}
