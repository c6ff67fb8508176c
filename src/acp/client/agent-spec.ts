import type { AgentCommand } from '../../ports/agent-command.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';

/** How to start an external agent, and its peculiarities. */
export interface AgentSpec extends AgentCommand {
  readonly name: string;
  /** Shown to people if the agent requires a login. */
  readonly loginHint?: string;
  /** The session's MCP servers. The agent connects to them itself. */
  readonly mcpServers?: Readonly<Record<string, AgentMcpServer>>;
  /** The sandbox for commands that the agent starts through Rondo. Without one they run unsandboxed. */
  readonly sandbox?: CommandSandbox;
}

export type AgentMcpServer = {
  readonly disabled?: boolean | undefined;
  /** Not all of its calls may run unasked, which only Rondo can see to: the agent makes them itself. */
  readonly isLimited?: boolean | undefined;
} & (
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
      readonly cwd?: string | undefined;
    }
  | {
      readonly url: string;
      readonly type?: string | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
);

export interface AcpSettings {
  readonly initializeMs: number;
  /** Timeout for opening a session, which may load a long history. */
  readonly openMs: number;
  /** Timeout for a login, during which a person acts in a browser. */
  readonly loginMs: number;
  /** How long a working agent may stay silent. */
  readonly silenceMs: number;
  /** How long a resumable agent is kept after its turn. */
  readonly idleMs: number;
  readonly lineBytes: number;
  /** How much an agent may send in one turn. */
  readonly turnBytes: number;
  /** Limit for kept output that isn't messages. */
  readonly logBytes: number;
  /** Maximum number of concurrent agents in this process. */
  readonly agents: number;
}

export const defaultAcpSettings: AcpSettings = {
  initializeMs: 60_000,
  openMs: 120_000,
  loginMs: 10 * 60_000,
  silenceMs: 5 * 60_000,
  idleMs: 10 * 60_000,
  lineBytes: 6 * 1024 * 1024,
  turnBytes: 256 * 1024 * 1024,
  logBytes: 64 * 1024,
  agents: 64,
};
