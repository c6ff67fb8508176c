/** The ports an effect may use. Each one is replaceable; `rondo/testing` has a set of stubs. */
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
  /** Rules of the machine's administrator, above those of every session. */
  readonly managedRules?: readonly Rule[];
  /** Answers questions on the spot where a program or a terminal is there to do it. */
  readonly approver?: Approver;
  /** Who is recorded as having answered. */
  readonly approvesAs?: Actor;
  readonly agents?: ExternalAgents;
  readonly jobs?: Jobs;
  readonly telemetry?: Telemetry;
  /** Keeps files before they are changed; without it nothing is kept. */
  readonly checkpoints?: Checkpoints;
}

export interface Models {
  /** The model an agent uses; a string says why there is none, in words for people. */
  resolve(agent: AgentRef, cwd: string): Model | string | Promise<Model | string>;
}

export interface Tools {
  /** `epoch` is that of the session's owner; without it the caller is not the owner. */
  get(name: string, state: State, epoch?: number): Tool | undefined | Promise<Tool | undefined>;
  /** The agent's whole list, constant within a session so that providers' prompt caches hit. */
  offered(state: State, epoch?: number): readonly Tool[] | Promise<readonly Tool[]>;
  /** Ends what was started for the session and is kept between calls; a later call starts it again. */
  release?(session: SessionId): Promise<void>;
  /** Whether there is anything to release. */
  keeps?(session: SessionId): boolean;
}

/** What the agent is told before the conversation. */
export interface Briefing {
  system(state: State): string | Promise<string>;
  roots(state: State): readonly string[];
  /** The standing rules of the session's folder as they are now. */
  rules?(state: State): Promise<readonly Rule[] | undefined>;
  /** How a model is asked what a prompt means, for agents that want it. */
  understand?(state: State, prompt: string): Promise<AskedMeaning | undefined>;
  /** What the turn's prompt means after the answer to what was asked about it. */
  clarified?(answer: Answer, state: State): Promise<Meaning | undefined>;
}

export interface AskedMeaning {
  readonly system: string;
  readonly maxOutputTokens: number;
  /** The checked meaning of the model's words; a string says what is wrong with them. */
  read(answer: string): Promise<Meaning | string>;
}

/** Undefined leaves the question open for whoever comes. */
export type Approver = (question: Question, state: State) => Promise<Answer | undefined>;

export interface ExternalAgents {
  /** Runs one turn of an external agent; reports and asks as it goes and settles exactly once. */
  prompt(turn: AgentTurn): Promise<AgentOutcome>;
  /** Answers what the agent asked in a running turn; one that nobody waits for is passed over. */
  answer(answer: Omit<Extract<Decision, { type: 'answer-agent' }>, 'type'>): void;
  /** Sets one of the agent's own modes or options; undefined where none runs for the session. */
  set?(session: SessionId, setting: AgentSetting): Promise<SettingOutcome | undefined>;
  /** Ends the session's agent, which may rest between turns; a later turn starts it again. */
  release?(session: SessionId): Promise<void>;
  /** Whether there is anything to release. */
  keeps?(session: SessionId): boolean;
}

/** One turn of an external agent, as its host sees it. */
export interface AgentTurn {
  readonly effect: EffectId;
  readonly attempt: number;
  /** The prompts it brings, by sequence; `host.agentPrompt` has their words. */
  readonly prompts: readonly number[];
  readonly host: EffectHost;
  readonly context: RuntimeContext;
  report(report: AgentReport): void;
  ask(request: AgentRequest): void;
  /** The agent no longer waits for the answer to what it asked. */
  withdraw(key: string): void;
}

export interface Checkpoints {
  /** What the session's files are now, kept under the turn: asked again it gives the one there is. A string says why not; undefined: none are wanted here. */
  take(state: State, turn: number): Promise<FileCheckpoint | string | undefined>;
  /** Whether `takeAll` can be expected to work for the session's folder. */
  canTakeAll?(state: State): Promise<boolean>;
  /** All files of the work tree that git doesn't ignore, as they are now. A string says why that can't be had. */
  takeAll?(state: State, label: string): Promise<FileCheckpoint | string>;
  /** These files are about to be changed. */
  touch(state: State, checkpoint: FileCheckpoint, paths: readonly string[]): Promise<void>;
  /** What a restore of `checkpoint` may change, as it is now: asked again under the label it gives the one there is. A string says why not. */
  takeBefore(state: State, checkpoint: FileCheckpoint, label: string): Promise<FileCheckpoint | string>;
  /** Makes files what they were at `checkpoint`. It may be repeated after it was cut off. A string says why not. */
  restore(state: State, checkpoint: FileCheckpoint, before: FileCheckpoint): Promise<ChangedFiles | string>;
}

export interface Jobs {
  run(call: Call, host: EffectHost, context: RuntimeContext): Promise<ToolResult>;
}

/** Told of every effect with its duration and outcome; never of content. */
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
