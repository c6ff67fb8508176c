/** A chat whose sessions are on a server, where browsers and other terminals see them too. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { createClient } from '../../client/client.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { ChatBackend, JobEntry } from '../../terminal/chat-backend.ts';
import type { RewindResult } from '../../session/branch/rewind-session.ts';
import type { DirectoryEntry } from '../../views/directory.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Status } from '../../views/status.ts';
import { findServedSession } from '../serve/find-served-session.ts';
import { wireAnswer } from '../serve/wire-answer.ts';
import { configuredTheme } from './configured-theme.ts';
import { gitBranch } from './git-branch.ts';
import { createServerCalls } from './server-calls.ts';
import { serverCommands } from './server-commands.ts';
import { createServerSession, receiptOf } from './server-session.ts';

export interface ServerBackendOptions {
  readonly url: string;
  readonly token: string;
  readonly cwd: string;
  readonly config: LoadedConfig;
}

/** So often a server that was just found is asked to take the connection. */
const attempts = 3;

export function createServerBackend({ url, token, cwd, config }: ServerBackendOptions): ChatBackend {
  // Before there is a screen that shows how the connection is, nobody should wait without a word.
  const turnedAway = Promise.withResolvers<never>();
  turnedAway.promise.catch(() => undefined);
  const watchers = new Set<() => void>();
  const client = createClient({
    url,
    token,
    name: 'rondo chat',
    onConnection(state) {
      for (const changed of watchers) changed();
      if (state.type !== 'waiting' || state.attempt < attempts || client.welcome !== undefined) return;
      turnedAway.reject(
        new Fault(
          'network',
          `Connecting to the server at ${url}: ${state.why}, ${attempts} times in a row. Look at what it logs, or do without it: \`rondo chat --alone\`.`,
        ),
      );
    },
  });
  const calls = createServerCalls(url, token);
  const sessionOf = (id: string) => createServerSession(id as SessionId, client, calls);

  return {
    server: url,
    link: {
      // Before its first word the server is not lost, it is not there yet.
      get isLost() {
        return client.welcome !== undefined && client.connection.type !== 'open';
      },
      watch: (changed) => void watchers.add(changed),
    },
    get self() {
      return client.welcome?.actor ?? 'terminal';
    },
    async create(wanted) {
      const { session } = await Promise.race([client.create({ ...wanted, cwd }), turnedAway.promise]).catch(
        refusedByServer,
      );
      return sessionOf(session);
    },
    async open(named) {
      const id = await findServedSession(named, url, token);
      await calls.get<Status>(`/sessions/${id}`);
      return sessionOf(id);
    },
    async sessions({ q, parent }) {
      const query = new URLSearchParams({
        limit: '100',
        ...(q !== undefined && { q }),
        ...(parent !== undefined && { parent }),
      });
      return (await calls.get<{ readonly entries: readonly DirectoryEntry[] }>(`/sessions?${query.toString()}`))
        .entries;
    },
    agents: async () =>
      (await calls.get<{ readonly agents: Awaited<ReturnType<ChatBackend['agents']>> }>('/agents')).agents,
    async models() {
      const { models } = await calls.get<{ readonly models: readonly { readonly id: string }[] }>('/models');
      return models.map(({ id }) => id);
    },
    theme: (agent) => configuredTheme(config, agent),
    async files(q) {
      const query = new URLSearchParams({ q, limit: '20' });
      return (await calls.get<{ readonly files: readonly string[] }>(`/files?${query.toString()}`)).files;
    },
    branch: () => gitBranch(cwd),
    async questionsBelow(_, known) {
      const { questions } = await calls.get<{
        readonly questions: readonly (OpenQuestion & { readonly session: SessionId })[];
      }>('/questions');
      return questions.filter(({ session }) => known.includes(session));
    },
    answer: (question, answer) => receiptOf(client.answer(question, wireAnswer(answer))),
    async fork(session, at) {
      const wanted = at === undefined ? {} : { at };
      return (await calls.post<{ readonly id: string }>(`/sessions/${session}/fork`, wanted)).id;
    },
    rewind: (session, to) => calls.post<RewindResult>(`/sessions/${session}/rewind`, { to }),
    async jobs() {
      const { jobs } = await calls.get<{ readonly jobs: readonly JobEntry[] }>('/jobs');
      return jobs;
    },
    async cancelJob(job) {
      await calls.post(`/jobs/${job}/cancel`, {});
      return `Job ${job} is being cancelled.`;
    },
    commands: Object.keys(serverCommands),
    async command(name, args, session) {
      const handler = serverCommands[name];
      if (handler === undefined)
        throw new Fault(
          'not-found',
          `/${name} is not there in a session of a server; \`rondo chat --alone\` has it.`,
        );
      return handler(args, session, { client, calls, config, cwd });
    },
    async [Symbol.asyncDispose]() {
      client.close();
    },
  };
}

/** What the server says no to is a mistake in what was asked for, not one of ours. */
function refusedByServer(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Fault || !('code' in error)) throw error;
  const isMistaken = error.code === 'REFUSED' || error.code === 'INVALID_MESSAGE';
  throw new Fault(isMistaken ? 'not-found' : 'network', error.message, { cause: error });
}
