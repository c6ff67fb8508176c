import type { Actor } from '../kernel/actor.ts';
import type { BlobRef } from '../kernel/content.ts';
import type { Conversation } from '../kernel/conversation/conversation.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Message } from '../kernel/message.ts';
import type { State } from '../kernel/state.ts';
import type { BootTime } from '../kernel/time.ts';

/** The session that an effect works for. */
export interface EffectHost {
  readonly session: SessionId;
  /** The epoch of this owner's claim. A later owner has a higher one. */
  readonly epoch: number;
  /** For an unwritten session, its state once the setup is written. */
  readonly state: State;
  /** Now, on the clock of this boot. */
  bootTime(): BootTime;
  /** Read when the effect starts. kernel/conversation.ts explains why it needn't be copied. */
  messages(): readonly Message[] | Promise<readonly Message[]>;
  /** The prompt for an external agent's current turn, and the conversation before it. */
  agentPrompt(): Promise<AgentPrompt>;
  /** The messages, with the positions where they may be cut. */
  conversation(): Promise<Conversation>;
  /** `by` defaults to the runtime. */
  deliver(input: InputBody, by?: Actor): void;
  /** A question asked here stays open. From now on only others can answer it. */
  leftOpen(): void;
  progress(progress: EffectProgress): void;
  readonly read: (ref: BlobRef) => Promise<string>;
}

interface AgentPrompt {
  readonly before: readonly Message[];
  readonly unsent: readonly Message[];
}

export interface EffectProgress {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly kind: 'text' | 'reasoning' | 'output' | 'status';
  readonly text: string;
}
