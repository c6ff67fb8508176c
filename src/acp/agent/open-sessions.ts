/** The sessions that one editor has open, each with a feed that sends updates and questions to the editor. */
import {
  RequestError,
  type McpServer,
  type SessionConfigOption,
  type SessionModeState,
} from '@agentclientprotocol/sdk';

import type { Actor } from '../../kernel/actor.ts';
import { fileCommandSpec } from '../../commands/help.ts';
import type { CommandRegistry } from '../../commands/registry.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Session } from '../../session/handle/session.ts';
import type { AgentHost } from './agent-host.ts';
import type { EditorClient } from './editor-client.ts';
import { openSessionFeed, type History, type SessionFeed } from './session-feed.ts';
import { configOptionsOf, modesOf } from './session-options.ts';

interface OpenSession {
  readonly session: Session;
  readonly feed: SessionFeed;
  readonly cwd: string;
  readonly takesSwitches: boolean;
}

export interface SessionSettings {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

interface OpenSessions {
  get(id: string): OpenSession | undefined;
  /** Throws the client's error response if it hasn't opened that session. */
  opened(id: string): OpenSession;
  /** Follows the session for the client. Replays its history if the client asks for it (`replayed`). */
  attach(
    session: Session,
    to: {
      readonly client: EditorClient;
      readonly by: Actor;
      readonly servers: readonly McpServer[];
      readonly folders: readonly string[];
      readonly history: History;
    },
  ): Promise<SessionSettings>;
  settings(of: Settled): Promise<SessionSettings>;
  forget(id: string): void;
  closeAll(): Promise<void>;
}

type Settled = Pick<OpenSession, 'session' | 'cwd' | 'takesSwitches'>;

export function createOpenSessions(host: AgentHost, commands: CommandRegistry): OpenSessions {
  const open = new Map<string, OpenSession>();

  async function settings({ session, cwd, takesSwitches }: Settled): Promise<SessionSettings> {
    const status = await session.status();
    const configOptions = configOptionsOf(status, await host.choices(cwd), { takesSwitches });
    return { modes: modesOf(status), configOptions };
  }

  /** Runs after the response, because the response introduces the session to the client. */
  function goOn(sessionId: SessionId, client: EditorClient, by: Actor): void {
    setImmediate(() => {
      open.get(sessionId)?.feed.goOn();
      void tellCommands(sessionId, client, by).catch(() => undefined);
    });
  }

  async function tellCommands(sessionId: SessionId, client: EditorClient, by: Actor): Promise<void> {
    const files = await host.client(by).commands(sessionId);
    // Editors know commands by name, and a file can't replace one.
    const all = new Map([...files.map(fileCommandSpec), ...commands.list()].map((spec) => [spec.name, spec]));
    const availableCommands = [...all.values()].map(({ name, summary, parameters: [first] = [] }) => ({
      name,
      description: summary,
      ...(first !== undefined && { input: { hint: first.name } }),
    }));
    await client.session(sessionId).update({ sessionUpdate: 'available_commands_update', availableCommands });
  }

  return {
    get: (id) => open.get(id),
    opened(id) {
      const entry = open.get(id);
      if (entry === undefined) throw RequestError.sessionNotFound(id);
      return entry;
    },
    async attach(session, { client, by, servers, folders, history }) {
      await open.get(session.id)?.feed.close();
      const { cwd } = await session.status();
      for (const problem of host.lend(session.id, servers)) host.onProblem(problem);
      const { takesSwitches } = client;
      const buffers = client.buffers(session.id);
      host.lendBuffers(session.id, buffers);
      host.lendFolders(session.id, folders);
      const feed = await openSessionFeed({
        session,
        cwd,
        by,
        mayDecide: host.mayDecide,
        client: client.session(session.id),
        buffers,
        terminals: client.terminals(cwd),
        options: async () => (await settings({ session, cwd, takesSwitches })).configOptions,
        onProblem: (message) => host.onProblem(message),
      });
      open.set(session.id, { session, feed, cwd, takesSwitches });
      await feed.begin(history);
      const answer = await settings({ session, cwd, takesSwitches });
      goOn(session.id, client, by);
      return answer;
    },
    settings,
    forget(id) {
      open.delete(id);
      host.lendBuffers(id, undefined);
    },
    async closeAll() {
      for (const id of open.keys()) host.lendBuffers(id, undefined);
      for (const { feed } of open.values()) await feed.close();
      open.clear();
    },
  };
}
