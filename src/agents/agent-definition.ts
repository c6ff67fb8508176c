import type { AgentCommand } from '../ports/agent-command.ts';
import type { Limits } from '../kernel/limits.ts';
import type { ModeName } from '../kernel/mode.ts';
import type { ToolAccess } from '../kernel/agent.ts';
import type { Rule } from '../kernel/rule.ts';
import type { ConfigOrigin } from './merge-layers.ts';

/** An agent with all references of its configuration resolved. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** `external`: a process that speaks the Agent Client Protocol. */
  readonly runs: 'model' | 'external';
  /** A configured model's name or `endpoint/model` (default: the best model found). */
  readonly model?: string;
  /** The system prompt. */
  readonly prompt: string;
  readonly tools: ToolAccess;
  /** From the agent's own policies, in addition to the standing rules. */
  readonly rules: readonly Rule[];
  /** Limits that differ from the defaults. */
  readonly limits: Partial<Limits>;
  /** Labels that a machine must offer. */
  readonly needs?: readonly string[];
  readonly mode?: ModeName;
  readonly theme?: string;
  /** Globs of files to read for every request. */
  readonly resources: readonly string[];
  readonly understand: 'rules' | 'model';
  /** Compile prompt and tools from the intent of each turn. */
  readonly compile: boolean;
  /** For an external agent. */
  readonly command?: AgentCommand;
  readonly origin: ConfigOrigin;
}
