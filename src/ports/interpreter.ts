/**
 * Carries out decisions, as the session sees it. It is an argument, so that a session needn't know about models,
 * tools or processes.
 *
 * 1. `carryOut` never throws and never writes to the journal. An effect delivers its result as an input.
 * 2. Each effect and attempt settles exactly once, unless it was dropped.
 * 3. `drop` ends everything of a session at once and delivers nothing more, because this process no longer owns it.
 */
import type { Call, RequestedCall } from '../kernel/call.ts';
import type { Decision } from '../kernel/decision.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Meaning } from '../kernel/meaning.ts';
import type { Answer } from '../kernel/question.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { EffectHost } from './effect-host.ts';

export interface Interpreter {
  carryOut(decision: Decision, context: EffectHost): void;
  /** Computes the facts about calls that don't come from a model. */
  describe(calls: readonly RequestedCall[], context: EffectHost): Promise<readonly Call[]>;
  /** The current standing rules of the session's folder. Undefined if it has none. */
  rules?(state: State): Promise<readonly Rule[] | undefined>;
  /** The meaning of the turn's prompt after the answer to a question about it. Undefined leaves it unchanged. */
  clarified?(answer: Answer, state: State): Promise<Meaning | undefined>;
  /** True if an approver here has an open question and hasn't answered or declined yet. */
  isAsking(session: SessionId): boolean;
  /** True if an agent or servers of the session stay running here between turns. */
  keepsProcesses?(session: SessionId): boolean;
  /**
   * Resolves once everything, including processes, has really ended, or after a bounded wait with the effects that
   * still run.
   */
  drop(session: SessionId): Promise<readonly EffectId[]>;
  /** Ends what stays running between turns (agents, MCP servers), after `drop`. Another process owns it next. */
  leave(session: SessionId): Promise<void>;
}
