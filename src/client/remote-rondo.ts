/** `RondoClient` over the wire. */
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type {
  AgentEntry,
  FileCommandEntry,
  ResourceEntry,
  McpServerEntry,
  ModelEntry,
  NewSession,
  RondoClient,
  SavedRuleEntry,
  SessionHit,
  SkillEntry,
  ToolEntry,
  WaitingEntry,
} from '../ports/rondo-client.ts';
import type { JobView, WorkerView } from '../ports/workforce.ts';
import type { SessionClient } from '../ports/session-client.ts';
import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionList } from '../views/session-row.ts';
import type { HttpCalls } from './http-calls.ts';
import { queryOf } from './remote-session.ts';

interface RemoteRondoParts {
  readonly url: string;
  readonly calls: HttpCalls;
  readonly create: (options: NewSession) => Promise<{ readonly session: SessionId }>;
  readonly session: (id: SessionId) => SessionClient;
}

export function createRemoteRondo({ url, calls, create, session }: RemoteRondoParts): RondoClient {
  const list = async (query: Readonly<Record<string, string | undefined>>) =>
    (await calls.get<{ readonly entries: readonly DirectoryEntry[] }>(`/sessions${queryOf(query)}`)).entries;
  return {
    server: url,
    create: async (options) => session((await create(options)).session),
    async open(named) {
      const answer = await calls.get<{ readonly id: SessionId }>(`/sessions/${await idOf(named, list)}`);
      return session(answer.id);
    },
    sessions: ({ q, parent, limit = 100 }) => list({ limit: `${limit}`, q, parent }),
    searchSessions: async (text) =>
      (
        await calls.get<{ readonly sessions: readonly SessionHit[] }>(
          `/sessions/search${queryOf({ text, limit: 100 })}`,
        )
      ).sessions,
    async archived() {
      const sessions = new Set<string>();
      for (;;) {
        const page = { archived: 'true', limit: pageOfRows, offset: sessions.size };
        const { rows, total } = await calls.get<SessionList>(`/sessions/overview${queryOf(page)}`);
        for (const row of rows) sessions.add(row.session);
        if (rows.length === 0 || sessions.size >= total) return sessions;
      }
    },
    mark: (of, mark) => calls.put(`/sessions/${of}/marks`, mark),
    agents: async (of) =>
      (await calls.get<{ readonly agents: readonly AgentEntry[] }>(`/agents${queryOf({ session: of })}`)).agents,
    models: async (of) =>
      (await calls.get<{ readonly models: readonly ModelEntry[] }>(`/models${queryOf({ session: of })}`)).models,
    tools: async (of) =>
      (await calls.get<{ readonly tools: readonly ToolEntry[] }>(`/tools${queryOf({ session: of })}`)).tools,
    commands: async (of) =>
      (await calls.get<{ readonly commands: readonly FileCommandEntry[] }>(`/commands${queryOf({ session: of })}`))
        .commands,
    resources: async (of) =>
      (await calls.get<{ readonly resources: readonly ResourceEntry[] }>(`/resources${queryOf({ session: of })}`))
        .resources,
    skills: async (of) =>
      (await calls.get<{ readonly skills: readonly SkillEntry[] }>(`/skills${queryOf({ session: of })}`)).skills,
    files: async (q) =>
      (await calls.get<{ readonly files: readonly string[] }>(`/files${queryOf({ q, limit: 20 })}`)).files,
    workers: async () => (await calls.get<{ readonly workers: readonly WorkerView[] }>('/workers')).workers,
    jobs: async () => (await calls.get<{ readonly jobs: readonly JobView[] }>('/jobs')).jobs,
    inbox: async () => (await calls.get<{ readonly questions: readonly WaitingEntry[] }>('/questions')).questions,
    savedRules: async () => (await calls.get<{ readonly rules: readonly SavedRuleEntry[] }>('/rules')).rules,
    revokeRule: (id) => calls.remove(`/rules/${id}`),
    mcpServers: async (of) =>
      (await calls.get<{ readonly servers: readonly McpServerEntry[] }>(`/mcp-servers${queryOf({ session: of })}`))
        .servers,
    async share(of, days) {
      const done = await calls.post<{ readonly path: string; readonly expiresAt: number }>(
        `/sessions/${of}/shares`,
        optional({ days }),
      );
      if (done.type === 'refused') return { type: 'refused', message: done.refusal.message };
      return { type: 'shared', url: new URL(done.value.path, url).href, expiresAt: done.value.expiresAt };
    },
    async cancelJob(job) {
      const done = await calls.post(`/jobs/${job}/cancel`);
      return done.type === 'done' ? { type: 'cancelling' } : { type: 'refused', message: done.refusal.message };
    },
  };
}

const pageOfRows = 500;

/** An id as it is, else the one session that starts with it, or the newest. */
async function idOf(
  named: string,
  list: (query: Readonly<Record<string, string>>) => Promise<readonly DirectoryEntry[]>,
): Promise<string> {
  // A whole id is found also where it is too old for the list.
  if (/^ses_\w{12,}$/.test(named)) return named;
  const entries = await list({ limit: named === 'latest' ? '1' : '1000' });
  const [first, other] = entries.filter((entry) => named === 'latest' || entry.session.startsWith(named));
  if (other !== undefined)
    throw new Fault('not-found', `Several sessions start with ${named}; give more of the id.`);
  if (first === undefined) throw new Fault('not-found', `Unknown session ${named}; \`rondo ls\` lists them.`);
  return first.session;
}
