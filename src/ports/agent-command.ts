/** A service that a client may offer to an external agent. */
type AgentService = 'fs' | 'terminal' | 'forms';

/** How to start an external agent. */
export interface AgentCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Set in its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of our own variables that it may see. A trailing `*` matches the rest of a name. */
  readonly envAllowed?: readonly string[];
  /** The agent's own mode and options for new sessions. */
  readonly mode?: string;
  readonly options?: Readonly<Record<string, string | boolean>>;
  /** The authentication method to use if it asks for one. */
  readonly authMethod?: string;
  /** Client services that it handles badly, so Rondo doesn't offer them. */
  readonly without?: readonly AgentService[];
}
