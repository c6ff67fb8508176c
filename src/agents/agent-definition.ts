import type { AgentRef } from '../kernel/agent.ts';
import type { Limits } from '../kernel/limits.ts';
import type { ModeName } from '../kernel/mode.ts';
import type { ToolAccess } from '../kernel/permission.ts';
import type { Rule } from '../kernel/rule.ts';
import type { Origin } from './merge-layers.ts';

/** An agent with everything that its configuration refers to looked up. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** `external`: a process that speaks the Agent Client Protocol. */
  readonly runs: 'model' | 'external';
  /** A configured model's name or `endpoint/model`; absent means whatever model is found. */
  readonly model?: string;
  /** The system text. */
  readonly prompt: string;
  readonly tools: ToolAccess;
  /** Of the agent's own policies; standing rules hold besides them. */
  readonly rules: readonly Rule[];
  /** What differs from the defaults, for sessions of this agent. */
  readonly limits: Partial<Limits>;
  readonly mode?: ModeName;
  readonly theme?: string;
  /** Globs of files that are read anew for every request. */
  readonly resources: readonly string[];
  readonly understand: 'rules' | 'model';
  /** Whether prompt and tools are compiled for each turn from its intent. */
  readonly compile: boolean;
  /** Of an external agent. */
  readonly command?: AgentCommand;
  readonly origin: Origin;
}

export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly envAllowed?: readonly string[];
  readonly mode?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
  readonly authMethod?: string;
}

export function toAgentRef(agent: AgentDefinition): AgentRef {
  return {
    name: agent.name,
    runs: agent.runs,
    ...(agent.model !== undefined && { model: agent.model }),
    ...(agent.tools !== 'all' && { tools: agent.tools }),
  };
}
