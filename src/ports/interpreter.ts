/**
 * Who carries out decisions, as the session sees it. Given as an argument, so that a session knows
 * nothing of models, tools or processes.
 *
 * 1. `carryOut` never throws and never writes to the journal; what an effect learns is delivered as an input.
 * 2. Each effect and attempt is settled exactly once, unless it was dropped.
 * 3. `drop` ends everything of a session at once and delivers nothing more: its owner is no longer its owner.
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
  /** Works out the facts about calls that came without a model. */
  describe(calls: readonly RequestedCall[], context: EffectHost): Promise<readonly Call[]>;
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
