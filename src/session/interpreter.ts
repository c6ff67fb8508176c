/**
 * Who carries out decisions, as the session sees it. Given as an argument, so that a session knows
 * nothing of models, tools or processes.
 *
 * 1. `carryOut` never throws and never writes to the journal; what an effect learns is delivered as an input.
 * 2. Each effect and attempt is settled exactly once, unless it was dropped.
 * 3. `drop` ends everything of a session at once and delivers nothing more: its owner is no longer its owner.
 */
import type { Actor } from '../kernel/actor.ts';
import type { Call, RequestedCall } from '../kernel/call.ts';
import type { BlobRef } from '../kernel/content.ts';
import type { Conversation } from '../kernel/conversation.ts';
import type { Decision } from '../kernel/decision.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Meaning } from '../kernel/meaning.ts';
import type { Message } from '../kernel/message.ts';
import type { Answer } from '../kernel/question.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';

export interface Interpreter {
  carryOut(decision: Decision, context: EffectContext): void;
  /** Works out the facts about calls that came without a model. */
  describe(calls: readonly RequestedCall[], context: EffectContext): Promise<readonly Call[]>;
  /** The standing rules of the session's folder as they are now; undefined where it has none. */
  rules?(state: State): Promise<readonly Rule[] | undefined>;
  /** What the turn's prompt means after the answer to what was asked about it; undefined leaves it as it was. */
  clarified?(answer: Answer, state: State): Promise<Meaning | undefined>;
  /** Whether somebody here has been given an open question and has not said yet whether they answer it. */
  isAsking(session: SessionId): boolean;
  /** Whether the session has an agent or servers here that are kept between turns. */
  keepsProcesses?(session: SessionId): boolean;
  /** Resolves when everything has really ended, processes included; after a bounded wait with the effects that still run. */
  drop(session: SessionId): Promise<readonly EffectId[]>;
  /** `drop`, and ends what is kept between turns (agents, MCP servers): for a session that another process owns next. */
  leave(session: SessionId): Promise<readonly EffectId[]>;
}

export interface EffectContext {
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
