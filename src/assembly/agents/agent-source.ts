import type { AgentSpec } from '../../acp/client/agent-spec.ts';
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

/** An agent as a program describes it. */
export interface AgentOptions {
  /** The system prompt, or what makes it from the session's state at each call. */
  readonly prompt?: string | ((state: State, tools: readonly string[]) => string | Promise<string>);
  /** What a prompt means, worked out as it arrives, the rules that follow for its turn, and what must be asked first. */
  readonly understand?: (text: string, place: MeaningPlace) => Promise<Meaning>;
  /** What the running turn's prompt means after the answer to what was asked about it. */
  readonly clarified?: (answer: Answer, place: MeaningPlace) => Promise<Meaning | undefined>;
  /** How the model is asked what the running turn's prompt means. */
  readonly askModel?: (prompt: string, place: MeaningPlace) => Promise<AskedMeaning>;
  readonly model?: string;
  readonly tools?: ToolAccess;
  readonly rules?: readonly Rule[];
  readonly limits?: Partial<Limits>;
  readonly mode?: string | Mode;
  readonly runs?: AgentRef['runs'];
  /** How an external agent is started. */
  readonly command?: AgentCommandOptions;
}

export type AgentCommandOptions = Omit<AgentSpec, 'name' | 'args' | 'env'> &
  Partial<Pick<AgentSpec, 'args' | 'env'>>;

/** Where a prompt is understood: the session as it is, and the names of the tools it offers. */
export interface MeaningPlace {
  readonly state: State;
  readonly tools: () => Promise<readonly string[]>;
}

/** Where agents come from: a table in a program, or files that are read when one is asked for. */
export interface AgentSource {
  readonly defaultAgent: string;
  names(): readonly string[];
  get(name: string): AgentOptions | undefined | Promise<AgentOptions | undefined>;
  /** Those of another folder. Absent: they are the same everywhere. */
  in?(cwd: string): Promise<AgentSource>;
  /** The folder's standing rules as they are now. Absent: the program gave its own with each session. */
  rules?(): Promise<readonly Rule[]>;
  /** How prompts are understood and compiled there. Absent: by what is shipped. */
  turns?(): Promise<TurnCompilation>;
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
    ...(model !== undefined && { model }),
    ...(agent.tools !== undefined && { tools: agent.tools }),
  };
}
