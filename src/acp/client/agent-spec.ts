import type { AgentCommand } from '../../ports/agent-command.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';

/** How an external agent is started and what is particular about it. */
export interface AgentSpec extends AgentCommand {
  readonly name: string;
  /** What to tell people when it wants them to log in. */
  readonly loginHint?: string;
  /** Services of a client that it handles badly and is not offered. */
  readonly without?: readonly ('fs' | 'terminal' | 'forms')[];
  /** Those of its session, which it connects to itself. */
  readonly mcpServers?: Readonly<Record<string, AgentMcpServer>>;
  /** Where the commands run that it starts through us; without one they run as they are. */
  readonly sandbox?: CommandSandbox;
}

export type AgentMcpServer = { readonly disabled?: boolean | undefined } & (
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
  /** Opening a session, which may load a long history. */
  readonly openMs: number;
  /** How long nothing may come from an agent that is at work. */
  readonly silenceMs: number;
  /** How long one that can be taken up again is kept after its turn. */
  readonly idleMs: number;
  readonly lineBytes: number;
  /** Kept of what it writes besides messages. */
  readonly logBytes: number;
  /** Agents at once in this process. */
  readonly agents: number;
}

export const defaultAcpSettings: AcpSettings = {
  initializeMs: 60_000,
  openMs: 120_000,
  silenceMs: 5 * 60_000,
  idleMs: 10 * 60_000,
  lineBytes: 6 * 1024 * 1024,
  logBytes: 64 * 1024,
  agents: 64,
};
