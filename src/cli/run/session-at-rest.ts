/**
 * A stored session for one command. Reading never opens it: opening a session that its owner left in the middle of
 * a turn would resume that turn.
 */
import type { SessionClient } from '../../ports/session-client.ts';
import { resolveSessionId, noSession } from '../../session/read/resolve-session-id.ts';
import { loadSession, type LoadedSession } from '../../session/read/load-session.ts';
import { readConversation } from '../../session/read/read-conversation.ts';
import { sessionAs } from '../../session/handle/session-as.ts';
import { contextShareOf } from '../../views/context-share.ts';
import { openQuestionsOf } from '../../views/open-question.ts';
import { statusOf } from '../../views/status.ts';
import { isLeftInTurn, stoppedInTurn } from '../sessions/reach-session.ts';
import { terminalActor } from '../terminal-actor.ts';
import { usageError } from '../usage-error.ts';
import type { Workspace } from '../workspace.ts';

export async function openSessionAtRest({ rondo, store }: Workspace, named: string): Promise<SessionClient> {
  const id = await resolveSessionId(store.journal, named);
  if (id === undefined) throw noSession(named);
  const session = sessionAs(await rondo.sessions.open(id), terminalActor);
  const load = async (of = id): Promise<LoadedSession> => {
    const loaded = await loadSession(store.journal, of);
    if (loaded === undefined) throw noSession(of);
    return loaded;
  };
  async function opened(): Promise<SessionClient> {
    const { state } = await load();
    if (!(await isLeftInTurn(store, state))) return session;
    throw usageError(stoppedInTurn(session.id));
  }
  return {
    ...session,
    status: async () => statusOf((await load()).state),
    async context() {
      const { state } = await load();
      return contextShareOf(state, (await readConversation(store, id, state.context)).conversation);
    },
    async questions() {
      const open = await rondo.jobs.questions(id);
      const asking = await Promise.all([...new Set(open.map((entry) => entry.session))].map((of) => load(of)));
      return asking.flatMap(({ state }) => openQuestionsOf(state)).toSorted((a, b) => a.openedAt - b.openedAt);
    },
    send: async (input, options) => (await opened()).send(input, options),
    answer: async (question, answer, options) => (await opened()).answer(question, answer, options),
    interrupt: async (reason) => (await opened()).interrupt(reason),
    rewind: async (options) => (await opened()).rewind(options),
  };
}
