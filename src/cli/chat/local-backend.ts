/** A chat whose sessions are in this process. */
import { listAgents, resolveAgent } from '../../agents/resolve-agent.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createSlashCommands } from '../../protocol/slash-commands.ts';
import { standardSlashCommands } from '../../protocol/standard-slash-commands.ts';
import { findSession } from '../../session/read/find-session.ts';
import { loadSession } from '../../session/read/load-session.ts';
import type { Session } from '../../session/handle/session.ts';
import type { ChatBackend, ChatSession, NewChat } from '../../terminal/chat-backend.ts';
import type { Status } from '../../views/status.ts';
import { sessionFor } from '../run/run-session.ts';
import { createCatalog } from '../serve/catalog.ts';
import { slashHandlers } from '../slash/slash-handlers.ts';
import { terminalActor } from '../terminal-actor.ts';
import type { Workspace } from '../workspace.ts';
import type { ChatOptions } from './chat-options.ts';
import { configuredTheme } from './configured-theme.ts';
import { gitBranch } from './git-branch.ts';

const mostFiles = 20;

export function createLocalBackend(workspace: Workspace, options: ChatOptions): ChatBackend {
  const { rondo, store, config } = workspace;
  const { cwd, rules } = options;
  const catalog = createCatalog(workspace);
  const mine = (session: Session): ChatSession => ({
    ...session,
    send: (input, from = {}) => session.send(input, { by: terminalActor, ...from }),
  });
  const commands = Object.keys(slashHandlers);

  return {
    server: undefined,
    link: { isLost: false, watch: () => undefined },
    self: terminalActor.name,
    async create(wanted) {
      const setup = { ...wanted, cwd, rules: [...workspace.rules, ...rules], by: terminalActor };
      return describedBy(mine(await rondo.sessions.create(setup)), await foreseen(setup));
    },
    open: async (session) => mine(await sessionFor(workspace, { cwd, rules, limits: {}, session })),
    async sessions(query) {
      return (await rondo.sessions.list({ ...query, limit: 100 })).entries;
    },
    agents: async () => listAgents(config).map(({ name, layer }) => ({ name, from: layer })),
    models: async () => (await (await workspace.models()).found()).map(({ id }) => id),
    theme: (agent) => configuredTheme(config, agent),
    files: async (q) => (await catalog.files?.({ cwd, q, limit: mostFiles })) ?? [],
    branch: () => gitBranch(cwd),
    async questionsBelow(session) {
      const open = await rondo.jobs.questions(session);
      const children = new Set(open.map((entry) => entry.session).filter((id) => id !== session));
      const asked = await Promise.all(
        [...children].map(async (id) => (await (await rondo.sessions.open(id)).status()).questions),
      );
      return asked.flat();
    },
    async answer(question, answer) {
      const { sessionOfQuestion } = await import('../../kernel/ids.ts');
      const session = await rondo.sessions.open(
        sessionOfQuestion(question as Parameters<typeof sessionOfQuestion>[0]),
      );
      return session.answer(question, answer, { by: terminalActor });
    },
    fork: async (session, at) =>
      (await rondo.sessions.fork(session, { by: terminalActor, ...(at !== undefined && { at }) })).id,
    rewind: async (session, to) => (await rondo.sessions.open(session)).rewind({ to, by: terminalActor }),
    jobs: () => rondo.jobs.overview({ which: 'listed' }),
    async cancelJob(id) {
      const job = await rondo.jobs.get(id);
      const answer = await job?.cancel('cancelled from the terminal');
      return answer === undefined ? `There is no job ${id}.` : `Job ${id}: ${answer.type}.`;
    },
    commands,
    async command(name, args, session) {
      const handler = slashHandlers[name];
      const loaded = await loadedSession(session);
      if (handler === undefined || loaded === undefined) return `/${name} needs a session with something in it.`;
      const known = createSlashCommands(standardSlashCommands.filter((one) => commands.includes(one.name)));
      return handler(args, { workspace, commands: known, session: loaded });
    },
    [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose](),
  };

  /** What a session that is not written yet will be. */
  async function foreseen({ agent, model, mode }: NewChat): Promise<Partial<Status>> {
    const name = agent ?? config.config.defaultAgent ?? 'assistant';
    const found = await resolveAgent(config, name, process.env);
    const own = found.type === 'resolved' ? found.agent : undefined;
    const used = model ?? own?.model;
    return {
      agent: name,
      cwd,
      mode: mode ?? own?.mode ?? 'interactive',
      ...(used !== undefined && { model: used }),
    };
  }

  async function loadedSession(named: SessionId) {
    const id = await findSession(store.journal, named);
    return id === undefined ? undefined : loadSession(store.journal, id);
  }
}

function describedBy(session: ChatSession, foreseen: Partial<Status>): ChatSession {
  return {
    ...session,
    async status() {
      const status = await session.status();
      return status.lifecycle === 'new' ? { ...status, ...foreseen } : status;
    },
  };
}
