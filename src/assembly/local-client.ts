/** `RondoClient` in this process. */
import type { Actor } from '../kernel/actor.ts';
import type { SessionId } from '../kernel/ids.ts';
import type {
  AgentEntry,
  FileCommandEntry,
  McpServerEntry,
  ModelEntry,
  ResourceEntry,
  RondoClient,
  SavedRuleEntry,
  SkillEntry,
  ToolEntry,
} from '../ports/rondo-client.ts';
import type { Rondo } from '../rondo.ts';
import type { Catalog } from '../server/backend.ts';
import { createMarks, createMemoryFile, type MarkStore } from '../server/marks.ts';
import { sessionAs } from '../session/handle/session-as.ts';
import type { CreateOptions } from './rondo-options.ts';

interface LocalClientParts {
  readonly rondo: Rondo;
  readonly catalog: Pick<
    Catalog,
    'agents' | 'models' | 'tools' | 'commands' | 'skills' | 'resources' | 'files' | 'rules' | 'mcpServers'
  >;
  /** The folder of new sessions. */
  readonly cwd: string;
  readonly by: Actor;
  /** Default: in memory. */
  readonly marks?: () => Promise<MarkStore>;
  /** Options that new sessions get in addition to those requested. */
  readonly setup?: Pick<CreateOptions, 'rules'>;
}

export function createLocalClient({ rondo, catalog, cwd, by, setup, marks }: LocalClientParts): RondoClient {
  const own = createMarks(createMemoryFile(), Date.now);
  const marksNow = marks ?? (() => Promise.resolve(own));
  const folderOf = async (session: SessionId | undefined) =>
    session === undefined ? cwd : (await (await rondo.sessions.open(session)).status()).cwd;
  return {
    server: undefined,
    create: async (options) => sessionAs(await rondo.sessions.create({ cwd, ...setup, ...options, by }), by),
    open: async (named) => sessionAs(await rondo.sessions.open(named), by),
    sessions: async (query) => (await rondo.sessions.list({ limit: 100, ...query })).entries,
    searchSessions: (text) => rondo.sessions.search(text, { limit: mostFound }),
    archived: async () => new Set((await (await marksNow()).load()).archived),
    mark: async (session, mark) => (await marksNow()).set(session, mark),
    agents: async (session) => ((await catalog.agents?.(await folderOf(session))) ?? []) as readonly AgentEntry[],
    models: async (session) => ((await catalog.models?.(await folderOf(session))) ?? []) as readonly ModelEntry[],
    tools: async (session) => ((await catalog.tools?.(await folderOf(session))) ?? []) as readonly ToolEntry[],
    commands: async (session) =>
      ((await catalog.commands?.(await folderOf(session), session)) ?? []) as readonly FileCommandEntry[],
    resources: async (session) =>
      ((await catalog.resources?.(await folderOf(session), session)) ?? []) as readonly ResourceEntry[],
    skills: async (session) => ((await catalog.skills?.(await folderOf(session))) ?? []) as readonly SkillEntry[],
    files: async (q) => (await catalog.files?.({ cwd, q, limit: 20 })) ?? [],
    inbox: () => rondo.questions(),
    savedRules: async () => ((await catalog.rules?.list()) ?? []) as readonly SavedRuleEntry[],
    revokeRule: async (id) => (await catalog.rules?.revoke(id)) ?? false,
    mcpServers: async (session) =>
      ((await catalog.mcpServers?.(await folderOf(session))) ?? []) as readonly McpServerEntry[],
    share: async () => ({
      type: 'refused',
      message: 'A link needs a server: start `rondo serve`, then share from there.',
    }),
    workers: () => rondo.workers.overview(),
    jobs: () => rondo.jobs.overview({ which: 'listed' }),
    async cancelJob(id) {
      const answer = await (await rondo.jobs.get(id))?.cancel(`cancelled by ${by.name}`);
      switch (answer?.type) {
        case 'ended':
        case 'marked':
          return { type: 'cancelling' };
        case 'illegal-move':
          return { type: 'refused', message: `Can't cancel job ${id}: ${answer.reason}.` };
        case 'not-found':
        case undefined:
          return { type: 'refused', message: `Unknown job ${id}.` };
      }
    },
  };
}

const mostFound = 100;
