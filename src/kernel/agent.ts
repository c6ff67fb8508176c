/** The tools that an agent may use. */
export type ToolAccess = 'none' | 'all' | { readonly only: readonly string[] };

/** The kernel's view of a session's agent. */
export interface AgentRef {
  readonly name: string;
  /** `model`: our own loop. `external`: a process that speaks the Agent Client Protocol. */
  readonly runs: 'model' | 'external';
  readonly model?: string;
  /** Default: all tools of the session. */
  readonly tools?: ToolAccess;
}
