/** A chat whose sessions run in this process. */
import { resolveAgent } from '../../agents/resolve-agent.ts';
import { createLocalClient } from '../../assembly/local-client.ts';
import { optional } from '../../kernel/optional.ts';
import type { NewSession, SessionHit } from '../../ports/rondo-client.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { sessionAs } from '../../session/handle/session-as.ts';
import type { ChatBackend } from '../../terminal/chat/chat-backend.ts';
import type { Status } from '../../views/status.ts';
import { sessionFor } from '../run/run-session.ts';
import { saveIn } from '../save-file.ts';
import { createMarks } from '../../server/marks.ts';
import { createCatalog } from '../serve/catalog.ts';
import { sharedFileIn } from '../serve/owner-token.ts';
import { terminalActor } from '../terminal-actor.ts';
import type { Workspace } from '../workspace.ts';
import type { ChatCommandOptions } from './chat-options.ts';
import { configuredTheme } from './configured-theme.ts';
import { fileBefore } from '../sessions/question-card-lines.ts';
import { isLeftAtWork } from '../sessions/reach-session.ts';
import { folderFacts } from './folder-facts.ts';
import { gitBranch } from './git-branch.ts';
import { sandboxProbe } from './sandbox-probe.ts';

export function createLocalBackend(workspace: Workspace, options: ChatCommandOptions): ChatBackend {
  const { rondo, config, store } = workspace;
  const { cwd, rules } = options;
  const catalog = createCatalog(workspace);
  const setup = { rules: [...workspace.rules, ...rules] };
  const hasSandbox = sandboxProbe(cwd);
  // Read each time: a server on the same store may have changed them.
  const marks = async () => createMarks(await sharedFileIn(store, workspace.home, 'marks'), Date.now);
  const local = createLocalClient({ rondo, catalog, cwd, by: terminalActor, setup, marks });

  const interruptedIn = (entries: readonly SessionHit[]) =>
    Promise.all(
      entries.map(async (entry) =>
        (await isLeftAtWork(store, entry)) ? { ...entry, isInterrupted: true as const } : entry,
      ),
    );

  return {
    ...local,
    sessions: async (query) => interruptedIn(await local.sessions(query)),
    searchSessions: async (text) => interruptedIn(await local.searchSessions(text)),
    link: { isLost: false, watch: () => undefined },
    self: terminalActor.name,
    create: async (wanted) => describedBy(await local.create(wanted), await foreseen(wanted)),
    open: async (session) =>
      sessionAs(await sessionFor(workspace, { cwd, rules, limits: {}, session }), terminalActor),
    theme: (agent) => configuredTheme(config, agent),
    branch: (folder) => gitBranch(folder || cwd),
    fileBefore,
    folder: (folder) => folderFacts(folder || cwd, config, hasSandbox),
    hasSandbox,
    save: saveIn(cwd),
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };

  /** The expected status of a session that isn't stored yet. */
  async function foreseen({ agent, model, mode }: NewSession): Promise<Partial<Status>> {
    const name = agent ?? config.config.defaultAgent ?? 'assistant';
    const resolution = await resolveAgent(config, name, process.env);
    const own = resolution.type === 'resolved' ? resolution.agent : undefined;
    const used = model ?? own?.model;
    return {
      agent: name,
      cwd,
      mode: mode ?? own?.mode ?? 'interactive',
      ...optional({ model: used }),
    };
  }
}

function describedBy(session: SessionClient, foreseen: Partial<Status>): SessionClient {
  return {
    ...session,
    async status() {
      const status = await session.status();
      return status.lifecycle === 'new' ? { ...status, ...foreseen } : status;
    },
  };
}
