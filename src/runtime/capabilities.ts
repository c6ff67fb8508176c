/** The ports an effect may use. Each is replaceable. `rondo/testing` has stubs for all of them. */
import type { Actor } from '../kernel/actor.ts';
import type { AgentRequest } from '../kernel/agent-request.ts';
import type { AgentSetting, SettingOutcome } from '../kernel/agent-setting.ts';
import type { AgentRef } from '../kernel/agent.ts';
import type { Call } from '../kernel/call.ts';
import type { ChangedFiles, FileCheckpoint } from '../kernel/checkpoint.ts';
import type { Decision } from '../kernel/decision.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { AgentOutcome } from '../kernel/input.ts';
import type { Meaning } from '../kernel/meaning.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { Answer, Question } from '../kernel/question.ts';
import type { AgentReport } from '../kernel/report.ts';
import type { Rule } from '../kernel/rule.ts';
import type { State } from '../kernel/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Logger } from '../ports/logger.ts';
import type { Model } from '../ports/model.ts';
import type { RuntimeContext } from './runtime-context.ts';
import type { Tool } from '../ports/tool.ts';

export interface Capabilities {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly models: Models;
  readonly tools: Tools;
  readonly briefing: Briefing;
  /** The machine administrator's rules. They override those of every session. */
  readonly managedRules?: readonly Rule[];
  /** Answers questions immediately, if a program or a terminal can. */
  readonly approver?: Approver;
  /** The actor recorded for its answers. */
  readonly approvesAs?: Actor;
  readonly agents?: ExternalAgents;
  readonly jobs?: JobCalls;
  readonly telemetry?: Telemetry;
  /** Saves files before they change. Without it, nothing is saved. */
  readonly checkpoints?: Checkpoints;
}

export interface Models {
  /** The model for an agent. A string explains to people why there is none. */
  resolve(agent: AgentRef, cwd: string): Model | string | Promise<Model | string>;
}

export interface Tools {
  /** `epoch` is the session owner's. Absent if the caller isn't the owner. */
  get(name: string, state: State, epoch?: number): Tool | undefined | Promise<Tool | undefined>;
  /** The agent's full tool list. Constant within a session, so that providers' prompt caches hit. */
  offered(state: State, epoch?: number): readonly Tool[] | Promise<readonly Tool[]>;
  /** Ends processes kept for the session between calls. A later call restarts them. */
  release?(session: SessionId): Promise<void>;
  /** True if there is anything to release. */
  keeps?(session: SessionId): boolean;
}

/** The agent's instructions before the conversation. */
interface Briefing {
  system(state: State): string | Promise<string>;
  roots(state: State): readonly string[];
  /** The current standing rules of the session's folder. */
  rules?(state: State): Promise<readonly Rule[] | undefined>;
  /** How to ask a model for a prompt's intent, for agents that use it. */
  understand?(state: State, prompt: string): Promise<AskedMeaning | undefined>;
  /** The meaning of the turn's prompt after the answer to a question about it. */
  clarified?(answer: Answer, state: State): Promise<Meaning | undefined>;
}

export interface AskedMeaning {
  readonly system: string;
  readonly maxOutputTokens: number;
  /** The validated meaning of the model's answer. A string describes what is invalid. */
  read(answer: string): Promise<Meaning | string>;
}

/** Undefined leaves the question open for somebody else. */
export type Approver = (question: Question, state: State) => Promise<Answer | undefined>;

export interface ExternalAgents {
  /** Runs one turn of an external agent. Reports and asks during the turn, and settles exactly once. */
  prompt(turn: AgentTurn): Promise<AgentOutcome>;
  /** Answers the agent's question in a running turn. Ignored if the agent no longer waits. */
  answer(answer: Omit<Extract<Decision, { type: 'answer-agent' }>, 'type'>): void;
  /** Sets one of the agent's own modes or options. Undefined if no agent runs for the session. */
  set?(session: SessionId, setting: AgentSetting): Promise<SettingOutcome | undefined>;
  /** Ends the session's agent, which may be idle between turns. A later turn restarts it. */
  release?(session: SessionId): Promise<void>;
  /** True if there is anything to release. */
  keeps?(session: SessionId): boolean;
}

/** One turn of an external agent, as its host sees it. */
export interface AgentTurn {
  readonly effect: EffectId;
  readonly attempt: number;
  /** The prompts to send, by sequence. `host.agentPrompt` has their text. */
  readonly prompts: readonly number[];
  readonly host: EffectHost;
  readonly context: RuntimeContext;
  report(report: AgentReport): void;
  ask(request: AgentRequest): void;
  /** The agent no longer waits for the answer to this request. */
  withdraw(key: string): void;
}

export interface Checkpoints {
  /**
   * Checkpoints the session's current files under the turn. Repeating it returns the existing checkpoint. A string
   * explains a failure. Undefined if no checkpoint is wanted here.
   */
  take(state: State, turn: number): Promise<FileCheckpoint | string | undefined>;
  /** True if `takeAll` is expected to work for the session's folder. */
  canTakeAll?(state: State): Promise<boolean>;
  /**
   * Checkpoints all current files of the work tree that git doesn't ignore, and the given files and folders, which git
   * ignores. A string explains a failure.
   */
  takeAll?(state: State, label: string, ignored: readonly string[]): Promise<FileCheckpoint | string>;
  /** Called before these files change. */
  touch(state: State, checkpoint: FileCheckpoint, paths: readonly string[]): Promise<void>;
  /**
   * Checkpoints the current state of everything a restore of `checkpoint` may change. Repeating it with the same
   * label returns the existing checkpoint. A string explains a failure.
   */
  takeBefore(state: State, checkpoint: FileCheckpoint, label: string): Promise<FileCheckpoint | string>;
  /** Restores files to `checkpoint`. Safe to repeat after an interruption. A string explains a failure. */
  restore(state: State, checkpoint: FileCheckpoint, before: FileCheckpoint): Promise<ChangedFiles | string>;
}

export interface JobCalls {
  run(call: Call, host: EffectHost, context: RuntimeContext): Promise<ToolResult>;
}

/** Receives every effect with its duration and outcome, never content. */
export interface Telemetry {
  record(entry: {
    readonly effect: string;
    readonly kind: string;
    readonly name: string;
    readonly startedAt: number;
    readonly endedAt: number;
    readonly outcome: string;
  }): void;
}
