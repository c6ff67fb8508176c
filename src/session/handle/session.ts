/**
 * A program's handle on a session. The handle is light: the session may hibernate, move to another process or be
 * taken over, and the next call finds it again.
 */
import type { Page } from '../../ports/journal.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Body } from '../../kernel/content.ts';
import type { Refusal } from '../../kernel/decide/draft.ts';
import { sessionOfQuestion, type QuestionId, type SessionId } from '../../kernel/ids.ts';
import { hasMeaning, meaningOf, type Clarify } from '../../kernel/meaning.ts';
import type { Rule } from '../../kernel/rule.ts';
import type { Answer } from '../../kernel/question.ts';
import type { SessionClient } from '../../ports/session-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { noRefusals } from '../../views/refusals.ts';
import { resultOf, type Result } from '../../views/result.ts';
import type { TranscriptPage } from '../../views/transcript-page.ts';
import { usageReportOf } from '../../views/usage.ts';
import type { ClientInput } from '../client-input.ts';
import type { ForkOptions } from '../branch/fork-session.ts';
import type { FollowOptions, FollowSink } from '../follow/follow-into.ts';
import type { TranscriptRange } from '../read/read-transcript.ts';
import type { Receipt, TurnResult, WaitOptions } from '../receipt.ts';
import type { RewindOptions, RewindResult } from '../branch/rewind-session.ts';
import { runInputs, type RunOptions } from './run-inputs.ts';
import type { SessionAccess } from './session-access.ts';
import type { Update } from '../update.ts';

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

export interface CompactOptions extends SendOptions, Partial<WaitOptions> {
  readonly keep?: string;
}

/** A turn's result, or the questions that block it. */
export interface Reply extends Result {
  /** Why the prompt was refused. Nothing was recorded. */
  readonly refusal?: Refusal;
}

/** A handle's operations beyond its own session. */
export interface SessionActions extends Pick<Session, 'close' | 'fork' | 'rewind' | 'why' | 'export'> {
  /** Sends to another session. */
  sendTo(session: SessionId, input: ClientInput, options?: SendOptions): Promise<Receipt>;
  /** Open questions of the sessions that work for this session. */
  questionsBelow(): Promise<readonly OpenQuestion[]>;
}

/** Shared code lives outside this function: a process may hold many handles. */
export function createSession(access: SessionAccess, actions: SessionActions): Session {
  const { id, send } = access;
  const { close, sendTo, questionsBelow, ...others } = actions;
  return {
    id,
    chat(text, options = {}) {
      const { whenAsked = 'return', delivery = 'queue' } = options;
      const prompt = { type: 'chat', text, delivery } as const;
      const input = hasMeaning(options) ? { ...prompt, ...meaningOf(options) } : prompt;
      return prompted(access, input, options, { whenAsked });
    },
    compact({ keep, whenAsked = 'return', ...from } = {}) {
      return prompted(access, { type: 'compact', ...(keep !== undefined && { keep }) }, from, { whenAsked });
    },
    send,
    answer: (question, answer, options) =>
      sendTo(sessionOfQuestion(question as QuestionId), { type: 'answer', question, answer }, options),
    async questions() {
      const [{ questions }, below] = await Promise.all([access.status(), questionsBelow()]);
      return [...questions, ...below].toSorted((a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1));
    },
    async usage() {
      const { events } = await access.events({ after: 0 });
      return usageReportOf(id, events);
    },
    interrupt: (reason) => send({ type: 'interrupt', ...(reason !== undefined && { reason }) }),
    run: (inputs, options) => runInputs(access, inputs, options ?? {}),
    async wait(options = {}) {
      const turn = await access.turn({ whenAsked: options.whenAsked ?? 'return' });
      return turn === undefined ? lastResult(access) : replyOf(access, turn);
    },
    result: () => lastResult(access),
    // The functions themselves, without wrappers.
    follow: access.follow,
    followInto: access.followInto,
    transcript: access.transcript,
    context: access.context,
    status: access.status,
    events: access.events,
    read: access.read,
    persist: access.persist,
    terminate: (reason) => send({ type: 'close', ...(reason !== undefined && { reason }) }),
    ...others,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function prompted(
  access: SessionAccess,
  input: ClientInput,
  from: SendOptions,
  options: WaitOptions,
): Promise<Reply> {
  const sent = await access.prompt(input, from, options);
  if (sent.type === 'accepted') return await replyOf(access, await sent.turn);
  const ending = { type: 'failed', code: 'fault', message: sent.refusal.message } as const;
  return { ...resultOf(await access.state(), { text: '', ending }), refusal: sent.refusal };
}

async function replyOf(access: SessionAccess, turn: TurnResult): Promise<Reply> {
  const said = turn.said.every(isText) ? turn.said : await Promise.all(turn.said.map((body) => access.read(body)));
  const state = await access.state();
  const text = said.join('');
  const isSure = turn.turn > 0 && !turn.hasRefusals;
  const refusals = isSure ? noRefusals : await access.refusals(turn.turn === 0 ? undefined : turn.turn);
  return turn.type === 'needs-input'
    ? resultOf(state, { text, refusals, asked: turn.questions })
    : resultOf(state, { text, refusals, ending: turn.ending });
}

async function lastResult(access: SessionAccess): Promise<Result> {
  const [text, refusals] = await Promise.all([access.lastText(), access.refusals()]);
  return resultOf(await access.state(), { text, refusals });
}

const isText = (body: Body) => typeof body === 'string';
