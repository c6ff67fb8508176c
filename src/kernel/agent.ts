import type { ToolAccess } from './permission.ts';

/** The agent a session talks to, as far as the kernel must know it. */
export interface AgentRef {
  readonly name: string;
  /** `model`: our own loop. `external`: a process that speaks the Agent Client Protocol. */
  readonly runs: 'model' | 'external';
  readonly model?: string;
  /** Default: all tools that the session offers. */
  readonly tools?: ToolAccess;
}
