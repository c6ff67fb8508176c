import type { McpServer } from '@agentclientprotocol/sdk';

import type { Actor } from '../../kernel/actor.ts';
import type { CommandPlace } from '../../commands/command.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { Session } from '../../session/handle/session.ts';
import type { Choices } from './session-options.ts';

/** What an editor's agent needs of the program it is part of. */
export interface AgentHost {
  readonly version: string;
  create(options: { readonly cwd: string; readonly by: Actor }): Promise<Session>;
  /** Undefined where there is none of exactly that id. */
  get(id: string): Promise<Session | undefined>;
  list(query: { readonly cursor?: string }): Promise<ListedSessions>;
  delete(id: string): Promise<void>;
  /** A session that goes on where this one is. */
  fork(id: string, by: Actor): Promise<Session>;
  choices(cwd: string): Promise<Choices>;
  /** Sessions, agents and tools as the editor's person sees them, for commands. */
  client(by: Actor): RondoClient;
  /** Writes a file into a session's folder, and returns its path. */
  save(cwd: string): CommandPlace['save'];
  /** Lends a session the MCP servers of its client, for as long as this process lives. */
  lend(session: string, servers: readonly McpServer[]): readonly string[];
  onProblem(message: string): void;
}

interface ListedSessions {
  readonly entries: readonly {
    readonly session: string;
    readonly cwd: string;
    readonly title: string;
    readonly updatedAt: number;
  }[];
  readonly next?: string;
}
