/**
 * A stored session, for commands that must not run it. A process that runs it takes inputs through the store; without
 * one they wait in the session's inbox. Forking and rewinding open it in a Rondo without models and tools.
 */
import { settingFor } from '../../kernel/agent-settings.ts';
import type { AgentSetting } from '../../kernel/agent-setting.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Receipt } from '../../ports/receipt.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { Rondo } from '../../rondo.ts';
import type { ForkOptions } from '../../session/branch/fork-session.ts';
import { sessionAs } from '../../session/handle/session-as.ts';
import { openQuestionsOf } from '../../views/open-question.ts';
import { statusOf } from '../../views/status.ts';
import { createQuietRondo } from '../quiet-rondo.ts';
import { terminalActor } from '../terminal-actor.ts';
import { cancelTurn } from './cancel-turn.ts';
import { giveAnswer } from './give-answer.ts';
import { deliver, livingOwner, stoppedInTurn, type Delivered } from './reach-session.ts';
import type { StoredSessions } from './stored-sessions.ts';

type Member = 'id' | 'status' | 'questions' | 'answer' | 'interrupt' | 'rewind' | 'changes' | 'read';

export interface StoredClient extends Pick<SessionClient, Member>, AsyncDisposable {
  send(input: { readonly type: 'agent-setting'; readonly setting: AgentSetting }): Promise<Receipt>;
  fork(options?: ForkOptions): Promise<SessionClient>;
  /** How the last accepted input reached the session. */
  route(): InputRoute;
}

export type InputRoute = Exclude<Awaited<ReturnType<typeof cancelTurn>>, { type: 'refused' }>;

export function storedClient({ store, load, read }: StoredSessions, id: SessionId): StoredClient {
  let last: InputRoute | undefined;
  let quiet: Promise<Rondo> | undefined;

  const stateNow = async () => (await load(id)).state;
  const opened = async () => {
    const rondo = await (quiet ??= createQuietRondo(store));
    return sessionAs(await rondo.sessions.open(id), terminalActor);
  };
  async function receiptOf(delivered: InputRoute | Extract<Delivered, { type: 'refused' }>): Promise<Receipt> {
    if (delivered.type === 'refused') return refused('conflict', delivered.message);
    last = delivered;
    // A letter's events come after the ones of now.
    return { type: 'accepted', seq: (await stateNow()).seq + 1 };
  }

  return {
    id,
    status: async () => statusOf(await stateNow()),
    questions: async () => openQuestionsOf(await stateNow()),
    async send({ setting }) {
      const chosen = settingFor(await stateNow(), setting);
      if (typeof chosen === 'string') return refused('invalid', chosen);
      return receiptOf(await deliver(store, id, { type: 'agent-setting-chosen', setting: chosen }));
    },
    async answer(question, answer) {
      const state = await stateNow();
      const open = state.questions.find((one) => one.id === question);
      if (open === undefined) return refused('conflict', `Question ${question} isn't open.`);
      return receiptOf(await giveAnswer(store, state, open, answer));
    },
    interrupt: async (reason) => receiptOf(await cancelTurn({ store, load }, id, reason)),
    fork: async (options) => (await opened()).fork(options),
    /** Opening a session that its owner left mid-turn would resume that turn. */
    async rewind(options) {
      const { phase } = await stateNow();
      const isInTurn = phase.type === 'turn' || phase.type === 'cancelling';
      if (isInTurn && (await livingOwner(store, id)) === undefined) return refused('conflict', stoppedInTurn(id));
      return (await opened()).rewind(options);
    },
    changes: async (options) => (await opened()).changes(options),
    read,
    route() {
      if (last === undefined) throw new Error('No input was accepted.');
      return last;
    },
    async [Symbol.asyncDispose]() {
      await (await quiet)?.[Symbol.asyncDispose]();
    },
  };
}

function refused(code: Refusal['code'], message: string): Extract<Receipt, { type: 'refused' }> {
  return { type: 'refused', refusal: { code, message } };
}
