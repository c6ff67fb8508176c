/** The way to a session wherever it lives: in this process, in another one, or asleep on disk. */
import type { Page } from '../journal/journal.ts';
import type { Store } from '../journal/store.ts';
import type { Actor } from '../kernel/actor.ts';
import type { AgentRef } from '../kernel/agent.ts';
import type { Body } from '../kernel/content.ts';
import { newConversation } from '../kernel/conversation.ts';
import type { Refusal } from '../kernel/draft.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import { turnOf, type State } from '../kernel/state.ts';
import { statusOf, type Status } from '../views/status.ts';
import type { TranscriptPage } from '../views/transcript-page.ts';
import { toInput, type ClientInput, type Translation } from './client-input.ts';
import { followInto, type FollowOptions, type FollowSink, type FollowSource } from './follow-into.ts';
import { follow } from './follow.ts';
import { digestOf } from './input-digest.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';
import { receiptOfKey, type UsedKey } from './key-receipt.ts';
import type { Sender } from './letter.ts';
import type { LiveSession } from './live-session.ts';
import { loadSession } from './load-session.ts';
import { restAt } from './past-state.ts';
import { readTranscript, type TranscriptRange } from './read-transcript.ts';
import type { PromptReceipt, Receipt, TurnResult } from './receipt.ts';
import { listenRemotely, receiptFor, sendLetter } from './remote-session.ts';
import { saidAfter } from './said.ts';
import type { Sessions } from './sessions.ts';
import { streamingIn } from './streams.ts';
import {
  awaitTurn,
  failWaiting,
  newTurnWatch,
  watchEvent,
  watchStanding,
  type WaitOptions,
} from './turn-watch.ts';
import type { SnapshotView, StreamingText, Update } from './update.ts';

export interface SessionAccess {
  readonly id: SessionId;
  send(
    input: ClientInput,
    /** `digest` is what the key stands for where that is more than this input. */
    from: { readonly by?: Actor; readonly key?: string; readonly digest?: string },
  ): Promise<Receipt>;
  prompt(
    input: ClientInput,
    from: { readonly by?: Actor; readonly key?: string },
    options: WaitOptions,
  ): Promise<
    | { readonly type: 'refused'; readonly refusal: Refusal }
    | { readonly type: 'accepted'; readonly turn: Promise<TurnResult> }
  >;
  /** The end of the turn that runs now; undefined where none runs. */
  turn(options: WaitOptions): Promise<TurnResult | undefined>;
  state(): Promise<State>;
  /** What the agent said last in its newest turn. */
  lastText(): Promise<string>;
  readonly status: () => Promise<Status>;
  readonly events: (range: { readonly after: number; readonly limit?: number }) => Promise<Page>;
  readonly follow: (options?: FollowOptions & { readonly signal?: AbortSignal }) => AsyncIterable<Update>;
  /** Until the signal is aborted or the session is over. */
  readonly followInto: (
    sink: FollowSink,
    options: FollowOptions & { readonly signal: AbortSignal },
  ) => Promise<void>;
  readonly transcript: (range?: TranscriptRange) => Promise<TranscriptPage>;
  readonly read: (body: Body) => Promise<string>;
  readonly persist: () => Promise<void>;
}

export interface AccessParts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly interpreter: Interpreter;
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
  readonly unique: () => string;
  readonly agent: (name: string, state: State) => Promise<AgentRef | undefined>;
  readonly understand?: Translation['understand'];
  /** Updates a follower may fall behind before it gets a gap and a snapshot. */
  readonly followerLimit: number;
}

/** A session, and what it takes to get at it. Functions over it are shared by all handles: there may be many. */
interface Place {
  readonly id: SessionId;
  readonly parts: AccessParts;
}

export function createSessionAccess(id: SessionId, parts: AccessParts): SessionAccess {
  const place: Place = { id, parts };
  const { journal } = parts.store;
  return {
    id,
    state: () => state(place),
    read: (body) => read(parts, body),
    async lastText() {
      const { seq } = await state(place);
      const page = await journal.readBack(id, { before: seq + 1, limit: snapshotEvents });
      const said = page.events.reduce<readonly Body[]>((last, { event }) => saidAfter(last, event), []);
      return (await Promise.all(said.map((body) => read(parts, body)))).join('');
    },
    status: async () => statusOf(await state(place)),
    events: (range) => journal.read(id, range),
    follow({ signal, ...options } = {}) {
      const run = (sink: FollowSink, ending: AbortSignal) =>
        followOnInto(place, sink, { ...options, signal: ending });
      return follow(run, { limit: parts.followerLimit, ...(signal !== undefined && { signal }) });
    },
    followInto: (sink, options) => followOnInto(place, sink, options),
    transcript: (range = {}) => readTranscript(journal, id, range),
    persist: async () => {
      const live = await find(place);
      if (live !== 'remote') await live.persist();
    },
    send: (input, given) => send(place, input, given),
    prompt: (input, given, options) => prompt(place, input, given, options),
    turn: (options) => turn(place, options),
  };
}

async function send(place: Place, input: ClientInput, given: Given): Promise<Receipt> {
  const { from, used } = senderOf(input, given);
  const before = used && (await receiptOfKey(place.parts.store.journal, place.id, used));
  if (before !== undefined) return before;
  const live = await find(place);
  const body = await translate(place, input, live);
  if ('code' in body) return { type: 'refused', refusal: body };
  return live === 'remote' ? sendRemotely(place, body, from) : live.submit(body, from);
}

async function prompt(
  place: Place,
  input: ClientInput,
  given: Given,
  options: WaitOptions,
): Promise<Awaited<ReturnType<SessionAccess['prompt']>>> {
  const { from, used } = senderOf(input, given);
  const before = used && (await receiptOfKey(place.parts.store.journal, place.id, used));
  const receipt: PromptReceipt = before ?? (await submitPrompt(place, input, from, options));
  if (receipt.type === 'refused') return receipt;
  return { type: 'accepted', turn: receipt.turn ?? watch(place, receipt.seq - 1, receipt.seq, options) };
}

async function turn(place: Place, options: WaitOptions): Promise<TurnResult | undefined> {
  const live = await find(place);
  const now = live === 'remote' ? await state(place) : live.state;
  if (turnOf(now) === undefined) return undefined;
  if (live === 'remote') return watch(place, now.seq, undefined, options);
  const ended = awaitTurn(live.turns, undefined, options);
  live.stand();
  return ended;
}

async function find({ id, parts: { sessions } }: Place): Promise<LiveSession | 'remote'> {
  const found = await sessions.acquire(id);
  if (found === undefined) {
    throw new Fault('not-found', `There is no session ${id} in this store; \`rondo ls\` shows those there are.`);
  }
  return 'submit' in found ? found : 'remote';
}

async function state(place: Place): Promise<State> {
  const live = await find(place);
  if (live === 'remote') return storedState(place);
  await live.settled();
  return live.state;
}

async function storedState({ id, parts: { store } }: Place): Promise<State> {
  const loaded = await loadSession(store.journal, id);
  if (loaded === undefined) throw new Fault('not-found', `Session ${id} is gone from the store.`);
  return loaded.state;
}

async function translate(
  place: Place,
  input: ClientInput,
  live: LiveSession | 'remote',
): Promise<InputBody | Refusal> {
  const { id, parts } = place;
  const context = live === 'remote' ? await idleContext(place) : live.context;
  const { agent, understand, store, interpreter } = parts;
  return toInput(input, {
    describe: interpreter.describe,
    context,
    restAt: (seq) => restAt(store.journal, id, seq),
    agent,
    ...(understand !== undefined && { understand }),
  });
}

/** Enough of a context to work out the facts of a task for a session that lives elsewhere. */
async function idleContext(place: Place): Promise<EffectContext> {
  const { id, parts } = place;
  const current = await state(place);
  return {
    session: id,
    state: current,
    messages: async () => [],
    agentPrompt: async () => ({ before: [], told: [] }),
    conversation: async () => newConversation(id),
    deliver: ignore,
    leftOpen: ignore,
    progress: ignore,
    read: (ref) => read(parts, ref),
  };
}

async function read({ store }: AccessParts, body: Body): Promise<string> {
  if (typeof body === 'string') return body;
  return (await store.blobs.get(body.blob)) ?? body.preview;
}

async function sendRemotely(place: Place, body: InputBody, from: Sender): Promise<Receipt> {
  const { id, parts } = place;
  const { store } = parts;
  const key = from.key ?? parts.unique();
  const letter = await sendLetter(store, id, body, { ...from, key });
  for (let round = 0; round < silentRounds; round += 1) {
    const receipt = await receiptFor(store, id, letter);
    if (receipt !== 'owner-silent') return receipt;
    // Where the owner is gone, opening the session here takes the letter from its inbox.
    const live = await find(place);
    if (live !== 'remote') return live.submit(body, { ...from, key });
  }
  throw new Fault(
    'busy',
    `Sending to session ${id}: the process that owns it does not answer. What was sent is kept and will be taken; ` +
      'send it again with the same key to learn what became of it.',
  );
}

/** Watches a turn through the journal: for sessions elsewhere, and for prompts sent before. */
async function watch(
  place: Place,
  after: number,
  prompt: number | undefined,
  options: WaitOptions,
): Promise<TurnResult> {
  const { id, parts } = place;
  const { store, sessions } = parts;
  const turns = newTurnWatch();
  const done = awaitTurn(turns, prompt, options);
  const fail = (error: Error) => failWaiting(turns, error);
  const tell = (update: Update) => {
    if (update.type !== 'event') return;
    watchEvent(turns, update.recorded);
    if (update.recorded.event.type === 'question-opened') {
      state(place).then((now) => watchStanding(turns, now), fail);
    }
  };
  const { clock } = parts;
  const listener = listenRemotely(store, id, { after, tell, end: fail, closing: sessions.closing, clock });
  // Whoever owns the session may leave or die in the middle of this very turn: then it is taken up here.
  let isOver = false;
  let disarm: (() => void) | undefined;
  const lookAgain = () => {
    if (!isOver) disarm = clock.at(clock.now() + ownerCheckMs, () => void takeUp().then(lookAgain, fail));
  };
  const takeUp = async () => {
    const live = await find(place);
    if (live !== 'remote') live.stand();
    watchStanding(turns, live === 'remote' ? await storedState(place) : live.state);
  };
  lookAgain();
  try {
    return await done;
  } finally {
    isOver = true;
    disarm?.();
    listener.stop();
  }
}

async function followOnInto(
  place: Place,
  sink: FollowSink,
  options: FollowOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options;
  const seen = new Map<string, number>();
  let { after } = options;
  while (!signal.aborted) {
    const live = await find(place);
    const from = live === 'remote' ? (after ?? (await state(place)).seq) : 0;
    after = await followInto({
      source: sourceOf(place, live),
      sink,
      listen: (push, end) =>
        live === 'remote' ? listenFrom(place, from, push, end) : listenTo(live, sink, push, end),
      signal,
      seen,
      limit: place.parts.followerLimit,
      ...(options.window !== undefined && { window: options.window }),
      ...(after !== undefined && { after }),
      // Taken over by somebody, perhaps by this process: its text is then no longer heard on the bus.
      ...(live === 'remote' && { movesAt: ({ recorded }) => recorded.event.type === 'session-recovered' }),
    });
    if (isOver(live)) return;
  }
}

function listenTo(
  live: LiveSession,
  { hears = 'at-once' }: FollowSink,
  tell: (update: Update) => void,
  end: () => void,
): () => void {
  const broadcast = live.broadcast();
  return hears === 'at-once' ? broadcast.listen(tell, end) : broadcast.listenByTurns(tell, end);
}

function listenFrom(
  { id, parts }: Place,
  after: number,
  tell: (update: Update) => void,
  end: () => void,
): () => void {
  const { store, sessions, clock } = parts;
  return listenRemotely(store, id, { after, tell, end, closing: sessions.closing, clock }).stop;
}

function sourceOf(place: Place, live: LiveSession | 'remote'): FollowSource {
  const { id, parts } = place;
  const { journal } = parts.store;
  const streaming = () => {
    if (live === 'remote') return undefined;
    // What was said up to this instant is heard before it: afterwards it might be of a text that is over.
    live.broadcast().flush();
    return streamingIn(live.streams);
  };
  // A live session may have been taken over and not know it yet: the journal is the truth.
  const head = async () => (await journal.head(id))?.seq ?? 0;
  return {
    head,
    async read(after) {
      const page = await journal.read(id, { after, limit: 1000 });
      return page.events.map((recorded) => ({ recorded, json: JSON.stringify(recorded.event) }));
    },
    async snapshot(atInstant) {
      const isCurrent = live !== 'remote' && live.state.seq >= (await head());
      if (isCurrent) {
        live.broadcast().flush();
        atInstant();
      }
      const now = isCurrent ? live.state : await storedState(place);
      return { seq: now.seq, view: await viewOf(place, now, streaming() ?? []) };
    },
    streaming,
  };
}

async function viewOf(
  { id, parts }: Place,
  now: State,
  streaming: readonly StreamingText[],
): Promise<SnapshotView> {
  const transcript = await readTranscript(parts.store.journal, id, { until: now.seq, limit: snapshotItems });
  return { status: statusOf(now), transcript, streaming };
}

async function submitPrompt(
  place: Place,
  input: ClientInput,
  from: Sender,
  options: WaitOptions,
): Promise<PromptReceipt> {
  const live = await find(place);
  const body = await translate(place, input, live);
  if ('code' in body) return { type: 'refused', refusal: body };
  return live === 'remote' ? sendRemotely(place, body, from) : live.prompt(body, from, options);
}

const isOver = (live: LiveSession | 'remote') => live !== 'remote' && live.state.phase.type === 'closed';

interface Given {
  readonly by?: Actor;
  readonly key?: string;
  readonly digest?: string;
}

function senderOf(
  input: ClientInput,
  { by = library, key, digest }: Given,
): { readonly from: Sender; readonly used: UsedKey | undefined } {
  if (key === undefined) return { from: { by }, used: undefined };
  const used = { key, digest: digest ?? digestOf(input) };
  return { from: { by, ...used }, used };
}

const library: Actor = { type: 'program', name: 'library' };
const silentRounds = 3;
/** How often one who waits for a turn elsewhere looks whether its owner is still there. */
const ownerCheckMs = 1000;
const snapshotEvents = 400;
const snapshotItems = 100;
const ignore = () => undefined;
