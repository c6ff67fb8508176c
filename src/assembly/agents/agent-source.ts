import type { AgentSpec } from '../../acp/client/agent-spec.ts';
import type { FileCommand } from '../../agents/file-commands.ts';
import type { AgentRef } from '../../kernel/agent.ts';
import type { Limits } from '../../kernel/limits.ts';
import type { Meaning } from '../../kernel/meaning.ts';
import type { Mode } from '../../kernel/mode.ts';
import type { ToolAccess } from '../../kernel/agent.ts';
import type { Answer } from '../../kernel/question.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { State } from '../../kernel/state.ts';
import type { AskedMeaning } from '../../runtime/capabilities.ts';
import type { TurnCompilation } from './turn-compilation.ts';
import { optional } from '../../kernel/optional.ts';

/** A program's definition of an agent. */
export interface AgentOptions {
  /** The system prompt, or a function that builds it from the session's state at each call. */
  readonly prompt?: string | ((state: State, tools: readonly string[]) => string | Promise<string>);
  /** Determines a prompt's meaning on arrival, the rules that follow for its turn, and any question to ask first. */
  readonly understand?: (text: string, place: MeaningPlace) => Promise<Meaning>;
  /** The meaning of the running turn's prompt after the answer to a question about it. */
  readonly clarified?: (answer: Answer, place: MeaningPlace) => Promise<Meaning | undefined>;
  /** How to ask the model for the meaning of the running turn's prompt. */
  readonly askModel?: (prompt: string, place: MeaningPlace) => Promise<AskedMeaning>;
  readonly model?: string;
  readonly tools?: ToolAccess;
  readonly rules?: readonly Rule[];
  readonly limits?: Partial<Limits>;
  readonly mode?: string | Mode;
  readonly runs?: AgentRef['runs'];
  /** Labels that a machine must offer to run it. */
  readonly needs?: readonly string[];
  /** How to start an external agent. */
  readonly command?: AgentCommandOptions;
}

type AgentCommandOptions = Omit<AgentSpec, 'name' | 'args' | 'env'> & Partial<Pick<AgentSpec, 'args' | 'env'>>;

/** The context for understanding a prompt: the current session, and the names of its tools. */
export interface MeaningPlace {
  readonly state: State;
  readonly tools: () => Promise<readonly string[]>;
}

/** Where agents come from: a table in a program, or files that are read on demand. */
export interface AgentSource {
  readonly defaultAgent: string;
  names(): readonly string[];
  get(name: string): AgentOptions | undefined | Promise<AgentOptions | undefined>;
  /** How to get an agent that it would have if it were installed. */
  waysToGet?(name: string): Promise<string | undefined>;
  /** The agents of another folder. Absent if they are the same everywhere. */
  in?(cwd: string): Promise<AgentSource>;
  /** The folder's current standing rules. Absent if the program passes its own with each session. */
  rules?(): Promise<readonly Rule[]>;
  /** The folder's commands from files. */
  commands?(): Promise<readonly FileCommand[]>;
  /** How prompts are understood and compiled there. Default: the shipped compilation. */
  turns?(): Promise<TurnCompilation>;
}

/** The agent with labels beside those that it needs itself. */
export function withNeeds(agent: AgentOptions, labels: readonly string[]): AgentOptions {
  const needs = [...new Set([...(agent.needs ?? []), ...labels])].toSorted();
  return needs.length === 0 ? agent : { ...agent, needs };
}

export function agentTable(table: Readonly<Record<string, AgentOptions>>): AgentSource {
  const names = Object.keys(table);
  return {
    defaultAgent: names[0] ?? 'assistant',
    names: () => names,
    get: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
  };
}

export function agentRefOf(name: string, agent: AgentOptions, model = agent.model): AgentRef {
  return {
    name,
    runs: agent.runs ?? (agent.command === undefined ? 'model' : 'external'),
    ...optional({ model, tools: agent.tools }),
    ...(agent.needs !== undefined && agent.needs.length > 0 && { needs: agent.needs }),
  };
}
