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
  /** Labels that a machine must offer to run it. */
  readonly needs?: readonly string[];
}

/** Every machine offers its own label, for sessions that work in one of its folders. */
export function machineLabel(machine: string): string {
  return `machine=${machine.replaceAll(/[^\w.-]/g, '-').slice(0, 80)}`;
}

/** What a machine offers and agents need, such as `docker` or `zone=eu`. */
export function isLabel(text: string): boolean {
  return /^[\w.=/-]{1,100}$/.test(text);
}
