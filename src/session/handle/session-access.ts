/** Access to a session in this process, in another one, or asleep on disk. */
import type { Page } from '../../ports/journal.ts';
import type { Body } from '../../kernel/content.ts';
import type { Refusal } from '../../kernel/decide/draft.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { contextShareOf, type ContextShare } from '../../views/context-share.ts';
import type { Refusals } from '../../views/refusals.ts';
import type { Status } from '../../views/status.ts';
import type { TranscriptPage } from '../../views/transcript-page.ts';
import type { ClientInput } from '../client-input.ts';
import { eventAfter } from './event-after.ts';
import { followAnywhere } from './follow-anywhere.ts';
import type { FollowOptions, FollowSink } from '../follow/follow-into.ts';
import { follow } from '../follow/follow.ts';
import { leaveOn, newLeaving, type Leaving } from '../follow/leaving.ts';
import type { Sender } from '../mailbox/letter.ts';
import { readConversation } from '../read/read-conversation.ts';
import { newestTurn } from '../read/read-back.ts';
import { readRefusals } from '../read/read-refusals.ts';
import { readStatus } from '../read/read-status.ts';
import { readTranscript, type TranscriptRange } from '../read/read-transcript.ts';
import type { Receipt, TurnResult, WaitOptions } from '../receipt.ts';
import { saidAfter } from '../read/said.ts';
import { sendInput } from './send-input.ts';
import { findSession, readBody, stateOf, type AccessParts, type Place } from './session-place.ts';
import { runningTurn, watchTurn } from './turn-anywhere.ts';
import type { Update } from '../update.ts';

export interface SessionAccess {
  readonly id: SessionId;
  readonly send: (input: ClientInput, from?: Partial<Sender>) => Promise<Receipt>;
  prompt(
    input: ClientInput,
    from: Partial<Sender>,
    options: WaitOptions,
  ): Promise<
    | { readonly type: 'refused'; readonly refusal: Refusal }
    | { readonly type: 'accepted'; readonly turn: Promise<TurnResult> }
  >;
  /** The end of the running turn. Undefined if none runs. */
  turn(options: WaitOptions): Promise<TurnResult | undefined>;
  state(): Promise<State>;
  /** The agent's last text in its newest turn. */
  lastText(): Promise<string>;
  /** The refusals in a turn, by the sequence of its start. Default: the newest turn. */
  refusals(turn?: number): Promise<Refusals>;
  readonly status: () => Promise<Status>;
  readonly events: (range: { readonly after: number; readonly limit?: number }) => Promise<Page>;
  /** Waits for the first matching event after a sequence. */
  readonly eventAfter: (after: number, isWanted: (recorded: Recorded) => boolean) => Promise<Recorded>;
  readonly follow: (options?: FollowOptions & { readonly signal?: AbortSignal }) => AsyncIterable<Update>;
  /** Runs until the signal aborts or the session ends. */
  readonly followInto: (
    sink: FollowSink,
    options: FollowOptions & { readonly signal: AbortSignal },
  ) => Promise<void>;
  readonly transcript: (range?: TranscriptRange) => Promise<TranscriptPage>;
  readonly context: () => Promise<ContextShare>;
  readonly read: (body: Body) => Promise<string>;
  readonly persist: () => Promise<void>;
}

export function createSessionAccess(id: SessionId, parts: AccessParts): SessionAccess {
  const place: Place = { id, parts };
  const { journal } = parts.store;
  return {
    id,
    state: () => stateOf(place),
    read: (body) => readBody(parts, body),
    async lastText() {
      const { seq } = await stateOf(place);
      const events = await newestTurn(journal, id, seq + 1);
      const said = events.reduce<readonly Body[]>((last, { event }) => saidAfter(last, event), []);
      return (await Promise.all(said.map((body) => readBody(parts, body)))).join('');
    },
    refusals: (turn) => readRefusals(journal, id, turn),
    status: async () => readStatus(journal, await stateOf(place)),
    events: (range) => journal.read(id, range),
    eventAfter: (after, isWanted) => eventAfter(place, after, isWanted),
    follow({ signal, ...options } = {}) {
      const run = (sink: FollowSink, leaving: Leaving) => followAnywhere(place, sink, options, leaving);
      return follow(run, { limit: parts.followerLimit, signal });
    },
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
    persist: async () => {
      const live = await findSession(place);
      if (live !== 'remote') await live.persist();
    },
    send: (input, given = {}) => sendInput(place, input, given),
    async prompt(input, given, options) {
      const receipt = await sendInput(place, input, given, options);
      if (receipt.type === 'refused') return receipt;
      return { type: 'accepted', turn: receipt.turn ?? watchTurn(place, receipt.seq - 1, receipt.seq, options) };
    },
    turn: (options) => runningTurn(place, options),
  };
}
