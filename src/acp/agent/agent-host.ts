import type { McpServer } from '@agentclientprotocol/sdk';

import type { Actor } from '../../kernel/actor.ts';
import type { CommandPlace } from '../../commands/command.ts';
import type { FileBuffers } from '../../ports/tool.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { Session } from '../../session/handle/session.ts';
import type { Choices } from './session-options.ts';

/** The parts of the host program that an editor's agent needs. */
export interface AgentHost {
  readonly version: string;
  /** False if the client runs inside an agent's session: it can't answer or permit anything (S19). */
  readonly mayDecide: boolean;
  create(options: { readonly cwd: string; readonly by: Actor }): Promise<Session>;
  /** Matches the exact id. Undefined if it doesn't exist. */
  get(id: string): Promise<Session | undefined>;
  list(query: { readonly cursor?: string }): Promise<ListedSessions>;
  delete(id: string): Promise<void>;
  /** Forks the session at its current state. */
  fork(id: string, by: Actor): Promise<Session>;
  choices(cwd: string): Promise<Choices>;
  /** Sessions, agents and tools as the editor's user sees them, for commands. */
  client(by: Actor): RondoClient;
  /** Writes a file into a session's folder and returns its path. */
  save(cwd: string): CommandPlace['save'];
  /** Gives a session its client's MCP servers for the lifetime of this process. */
  lend(session: string, servers: readonly McpServer[]): readonly string[];
  /** Gives a session's file tools the editor's files for the lifetime of this process. Undefined ends it. */
  lendBuffers(session: string, buffers: FileBuffers | undefined): void;
  /** Lets a session's tools touch these folders too, for the lifetime of this process. */
  lendFolders(session: string, folders: readonly string[]): void;
  onProblem(message: string): void;
}

interface ListedSessions {
  readonly entries: readonly ListedSession[];
  readonly next?: string;
}

export interface ListedSession {
  readonly session: string;
  readonly cwd: string;
  readonly title: string;
  readonly updatedAt: number;
  readonly turns: number;
  readonly queued: number;
}
