/**
 * A program's handle on a session. The handle is light: the session may hibernate, move to another process or be
 * taken over, and the next call finds it again.
 */
import type { Page } from '../../ports/journal.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Refusal } from '../../kernel/decide/draft.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../../kernel/ids.ts';
import { hasMeaning, meaningOf, type Clarify } from '../../kernel/meaning.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { Answer } from '../../kernel/question.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import { contextShareOf } from '../../views/context-share.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { resultOf, type Result } from '../../views/result.ts';
import type { TranscriptPage } from '../../views/transcript-page.ts';
import { usageReportOf } from '../../views/usage-report.ts';
import type { ClientInput } from '../client-input.ts';
import type { ForkOptions } from '../branch/fork-session.ts';
import type { FollowOptions, FollowSink } from '../follow/follow-into.ts';
import { leaveOn, newLeaving } from '../follow/leaving.ts';
import { readConversation } from '../read/read-conversation.ts';
import { readTranscript, type TranscriptRange } from '../read/read-transcript.ts';
import type { Receipt, WaitOptions } from '../receipt.ts';
import {
  rewindSession,
  type Rewindable,
  type RewindOptions,
  type RewindResult,
} from '../branch/rewind-session.ts';
import { eventAfter } from './event-after.ts';
import { followAnywhere, followPlace } from './follow-anywhere.ts';
import { runInputs, type RunOptions } from './run-inputs.ts';
import { sendInput } from './send-input.ts';
import { acquireSession, placedStatus, readBody, stateOf, type HandlePlace } from './session-place.ts';
import { runningTurn, watchTurn } from './turn-anywhere.ts';
import { lastReply, replyOf } from './turn-reply.ts';
import type { Update } from '../update.ts';
import { optional } from '../../kernel/optional.ts';

/** A handle on one session. It holds no state: any number of handles, in any process, act on the same session. */
export interface Session extends SessionClient, AsyncDisposable {
  /** Sends a prompt and waits until its turn ends or only a person can continue it. */
  chat(text: string, options?: ChatOptions): Promise<Reply>;
  /** Sends one input. Resolves once it is durable. */
  send(input: ClientInput, options?: SendOptions): Promise<Receipt>;
  /** Summarizes the older part of the conversation and waits for it. `keep` names what to preserve. */
  compact(options?: CompactOptions): Promise<Reply>;
  /** Creates a session that continues from this one's current state or from an earlier event. It shares the history. */
  fork(options?: ForkOptions): Promise<Session>;
  /** Rewinds the conversation, the files, or both to an earlier event. */
  rewind(options: RewindOptions): Promise<RewindResult>;
  answer(question: string, answer: Answer, options?: SendOptions): Promise<Receipt>;
  interrupt(reason?: string): Promise<Receipt>;
  /** Sends inputs until they end or the mode ends the run. */
  run(inputs: AsyncIterable<ClientInput> | Iterable<ClientInput>, options?: RunOptions): Promise<Result>;
  /** The end of the running turn, for example after an answer or a restart. If none runs, the end of the last turn. */
  wait(options?: Partial<WaitOptions>): Promise<Reply>;
  /** The last turn's result, without waiting. */
  result(): Promise<Result>;
  follow(options?: FollowOptions & { readonly signal?: AbortSignal }): AsyncIterable<Update>;
  /** Like `follow`, but delivers immediately to a reader with its own buffer. */
  followInto(sink: FollowSink, options: FollowOptions & { readonly signal: AbortSignal }): Promise<void>;
  /** A page of the conversation, last page first. */
  transcript(range?: TranscriptRange): Promise<TranscriptPage>;
  events(range: { readonly after: number; readonly limit?: number }): Promise<Page>;
  /** Writes a created but unused session to the store. */
  persist(): Promise<void>;
  /** Ends the session permanently. Its journal stays readable, and the session can still be forked. */
  terminate(reason?: string): Promise<Receipt>;
  /** Releases the session in this process. The session itself continues to exist. */
  close(): Promise<void>;
}

/** The sender, and an idempotency key. */
export interface SendOptions {
  readonly by?: Actor;
  /** Repeating a key changes nothing and returns the first receipt. */
  readonly key?: string;
}

/** How to send a prompt, and how long to wait for its turn. */
export interface ChatOptions extends SendOptions, Partial<WaitOptions> {
  readonly delivery?: 'steer' | 'queue';
  /** The prompt's intent, if already known, and the rules that follow for its turn. */
  readonly intent?: unknown;
  readonly rules?: readonly Rule[];
  /** A question to ask before the turn's first step, if somebody can answer. */
  readonly clarify?: Clarify;
}

interface CompactOptions extends SendOptions, Partial<WaitOptions> {
  readonly keep?: string;
}

/** A turn's result, or the questions that block it. */
export interface Reply extends Result {
  /** Why the prompt was refused. Nothing was recorded. */
  readonly refusal?: Refusal;
}

/** What a handle does beyond its own session. */
interface SessionActions extends Pick<Session, 'close' | 'fork' | 'why' | 'export' | 'changes'> {
  sendTo(session: SessionId, input: ClientInput, options?: SendOptions): Promise<Receipt>;
  /** Open questions of the sessions that work for this session. */
  questionsBelow(): Promise<readonly OpenQuestion[]>;
}

/** Shared code is outside the handle, because a process may hold many handles. */
export function createSession(place: HandlePlace, actions: SessionActions): Session {
  const { id, parts } = place;
  const { journal } = parts.store;
  const { close, sendTo, questionsBelow, ...others } = actions;
  const send: Session['send'] = (input, given = {}) => sendInput(place, input, given);
  const status = async () => placedStatus(place.parts, await stateOf(place));
  return {
    id,
    chat(text, options = {}) {
      const { whenAsked = 'return', delivery = 'queue' } = options;
      const prompt = { type: 'chat', text, delivery } as const;
      const input = hasMeaning(options) ? { ...prompt, ...meaningOf(options) } : prompt;
      return prompted(place, input, options, { whenAsked });
    },
    compact({ keep, whenAsked = 'return', ...from } = {}) {
      return prompted(place, { type: 'compact', ...optional({ keep }) }, from, { whenAsked });
    },
    send,
    answer: (question, answer, options) =>
      sendTo(sessionOfQuestion(question as QuestionId), { type: 'answer', question, answer }, options),
    async questions() {
      const [{ questions }, below] = await Promise.all([status(), questionsBelow()]);
      return [...questions, ...below].toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
    },
    usage: async () => usageReportOf(id, (await journal.read(id, { after: 0 })).events),
    interrupt: (reason) => send({ type: 'interrupt', ...optional({ reason }) }),
    run: (inputs, options) => runInputs(place, inputs, options ?? {}),
    async wait(options = {}) {
      const turn = await runningTurn(place, { whenAsked: options.whenAsked ?? 'return' });
      return turn === undefined ? lastReply(place) : replyOf(place, turn);
    },
    result: () => lastReply(place),
    follow: (options) => followPlace(place, options),
    async followInto(sink, { signal, ...options }) {
      const leaving = newLeaving();
      const forget = leaveOn(signal, leaving);
      await followAnywhere(place, sink, options, leaving).finally(forget);
    },
    transcript: (range = {}) => readTranscript(journal, id, range),
    async context() {
      const state = await stateOf(place);
      return contextShareOf(state, (await readConversation(parts.store, id, state.context)).conversation);
    },
    status,
    events: (range) => journal.read(id, range),
    read: (body) => readBody(parts, body),
    async persist() {
      const live = await acquireSession(place);
      if (live !== 'remote') await live.persist();
    },
    rewind: (options) => rewindSession({ access: rewindable(place), journal }, options),
    terminate: (reason) => send({ type: 'close', ...optional({ reason }) }),
    ...others,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function prompted(
  place: HandlePlace,
  input: ClientInput,
  from: SendOptions,
  options: WaitOptions,
): Promise<Reply> {
  const receipt = await sendInput(place, input, from, options);
  if (receipt.type === 'accepted' && receipt.waits !== undefined) {
    const result = resultOf(await stateOf(place), { text: '' });
    return { ...result, outcome: 'needs-input', reason: `Session ${place.id}: ${receipt.waits}` };
  }
  if (receipt.type === 'accepted')
    return replyOf(place, await (receipt.turn ?? watchTurn(place, receipt.seq - 1, receipt.seq, options)));
  const { refusal } = receipt;
  const ending = { type: 'failed', code: 'fault', message: refusal.message } as const;
  return { ...resultOf(await stateOf(place), { text: '', ending }), refusal };
}

function rewindable(place: HandlePlace): Rewindable {
  const { id, parts } = place;
  return {
    id,
    state: () => stateOf(place),
    send: (input, from) => sendInput(place, input, from),
    events: (range) => parts.store.journal.read(id, range),
    eventAfter: (after, isWanted) => eventAfter(place, after, isWanted),
    read: (body) => readBody(parts, body),
  };
}
