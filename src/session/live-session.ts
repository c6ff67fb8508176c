/**
 * One session alive in its owner's process: a mailbox and a loop around `step`.
 *
 * 1. Commit, then interpret: no decision is carried out, no follower told and no sender answered
 *    before the events of its transition are on disk.
 * 2. Inputs that arrive while a commit runs are stepped together and share the next one.
 * 3. A failed append suspends the session: nothing further is done, its effects are dropped, every
 *    waiting sender is told. The process and all other sessions go on; opening it again starts from disk.
 *    A locked store is no failure: the append is repeated until the store answers.
 * 4. An owner that isn't sure of its lease starts nothing, and one whose lease has lapsed stops what runs
 *    (`owner-standing.ts`). If nobody took over, it recovers its own session and continues.
 */
import type { AppendAnswer, AppendRequest } from '../journal/journal.ts';
import type { Claim } from '../journal/lease.ts';
import type { Store } from '../journal/store.ts';
import { host, system, type Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { InputBody } from '../kernel/input.ts';
import type { AgentReport } from '../kernel/report.ts';
import type { State } from '../kernel/state.ts';
import type { Step } from '../kernel/step.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { createBroadcast, type Broadcast } from './broadcast.ts';
import { completeInput } from './complete-input.ts';
import { extendMessages, loadConversation, newContextMessages } from './context-messages.ts';
import { describeAgain } from './describe-again.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';
import { appendPatiently } from './append-patiently.ts';
import { namedIn, receiptOf, receiptOfKey } from './key-receipt.ts';
import {
  keyOf,
  nobody,
  recordOf,
  stepAll,
  withoutRepeats,
  type Letter,
  type LetterSender,
  type Sender,
  type Stepped,
} from './letter.ts';
import { createGate } from './owner-gate.ts';
import { project, projectedOf } from './projector.ts';
import type { PromptReceipt, Receipt } from './receipt.ts';
import { asFault, givenUp, refusedAppend } from './session-fault.ts';
import { flushSnapshot, keepSnapshot, type SnapshotKeeper } from './snapshot-keeper.ts';
import { addProgress, clearStreams, endStream, newStreams, type Streams } from './streams.ts';
import {
  awaitTurn,
  failWaiting,
  newTurnWatch,
  watchEvent,
  watchHeldUp,
  watchStanding,
  type TurnWatch,
  type WaitOptions,
} from './turn-watch.ts';
import { timeAt } from '../kernel/time.ts';
import {
  forgetWritten,
  newUnwrittenBlobs,
  putAgain,
  putRemembered,
  type UnwrittenBlobs,
} from './unwritten-blobs.ts';

export interface LiveSession {
  readonly id: SessionId;
  readonly state: State;
  readonly claim: Claim;
  readonly streams: Streams;
  readonly turns: TurnWatch;
  /** Tells those who wait for the turn if only a person can move it on. */
  stand(): void;
  /** Tells those who wait for the turn that the questions of others hold it up. */
  holdUp(questions: readonly OpenQuestion[]): void;
  readonly context: EffectContext;
  /** Rejects with a `Fault` when the session is or becomes suspended. */
  submit(input: InputBody, from: Sender): Promise<Receipt>;
  /** Takes what another process sent; the append that it leads to settles the letter. */
  take(input: InputBody, from: Sender, letter: number): Promise<Receipt>;
  /** Settles what an earlier owner left in flight, or this one before its lease lapsed. */
  recover(): Promise<void>;
  /** Stops effects: the lease of this process has lapsed. */
  halt(): Promise<void>;
  /** The lease is sure again: goes on, after a recovery if effects were stopped. */
  resume(): void;
  /** Starts no model call any more. Resolves when everything that was started has settled. */
  boundary(): Promise<void>;
  /** Like `submit`, and the end of the turn that takes the prompt, be it over within the same step. */
  prompt(input: InputBody, from: Sender, options: WaitOptions): Promise<PromptReceipt>;
  /** Writes an unused session's set-up now. */
  persist(): Promise<void>;
  /** Told of every update after its commit, and when the session is no longer alive here. */
  broadcast(): Omit<Broadcast, 'tell' | 'end'>;
  isListenedTo(): boolean;
  /** Once it resolves, the commit under way has become the state: who has read an event finds it there. */
  settled(): Promise<void> | undefined;
  /** Nothing in the mailbox and no commit under way. */
  isQuiet(): boolean;
  /** Stops taking inputs, waits for the commit under way and ends what runs; resolves with effects that can't be ended. */
  stop(): Promise<readonly EffectId[]>;
}

export interface LiveSessionParts {
  readonly store: Pick<Store, 'journal' | 'blobs'> & { readonly leases: Pick<Store['leases'], 'standing'> };
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly onSuspended: (session: SessionId, fault: Fault) => void;
}

export interface OpenedSession {
  readonly state: State;
  readonly claim: Claim;
  readonly snapshotSeq: number;
  readonly snapshotSize: number;
  /** A new session's set-up: written together with the first input, so that an unused session leaves no trace. */
  readonly setup?: {
    readonly body: InputBody;
    readonly by: Actor;
    readonly creation: AppendRequest['creation'] | undefined;
  };
}

export function createLiveSession(parts: LiveSessionParts, opened: OpenedSession): LiveSession {
  const { store, interpreter, step, now } = parts;
  const { journal, blobs } = store;
  const { claim } = opened;
  const { id } = opened.state;
  const { creation } = opened.setup ?? {};
  let { state } = opened;
  let mailbox: Letter[] = [];
  if (opened.setup !== undefined) {
    const input = { ...opened.setup.body, at: timeAt(now()), by: opened.setup.by };
    mailbox.push({ input, sender: nobody, ahead: step(state, input) });
  }
  let isDraining = false;
  let draining: Promise<void> | undefined;
  let intake: Promise<void> | undefined;
  let isAppending = false;
  let failure: Fault | undefined;
  let isStopped = false;
  let isStopping = false;
  let { position } = claim;
  /** Until this owner has come further than its recovery, those before it count as crashes in a row. */
  let isUnproven = claim.isUnclean || claim.fences > 0;
  let dropping: Promise<readonly EffectId[]> | undefined;
  /** Made for the first who listens: most sessions that wait have nobody. */
  let broadcast: Broadcast | undefined;
  const streams = newStreams();
  /** Made with the first long content: most sessions have none on its way. */
  let unwritten: UnwrittenBlobs | undefined;
  const turns = newTurnWatch();
  const messages = newContextMessages(opened.state);
  const projected = projectedOf(opened.state);
  const snapshots: SnapshotKeeper = {
    kept: opened.snapshotSeq,
    size: opened.snapshotSize,
    saving: undefined,
  };

  const [setup] = mailbox;
  // Plain properties that are kept up to date: an object with accessors is slow and large, and there are many.
  const context: EffectContext & { state: State } = {
    session: id,
    epoch: claim.epoch,
    state: setup?.ahead?.state ?? state,
    messages: () => messages.conversation?.messages ?? conversation().then((loaded) => loaded.messages),
    conversation,
    async agentPrompt() {
      const { messages: all, agentPrompt } = await conversation();
      return { before: all.slice(0, agentPrompt.from), told: all.slice(agentPrompt.from, agentPrompt.to) };
    },
    deliver: (body, by = system) => accept(body, by, nobody),
    leftOpen: stand,
    progress(progress) {
      if (isStopped || failure !== undefined) return;
      const update = addProgress(streams, progress);
      broadcast?.tell(update);
    },
    async read(ref) {
      const content = await blobs.get(ref.blob);
      return content ?? `${ref.preview}\n[the rest of this content is missing from the store]`;
    },
  };

  const gate = createGate({ carryOut: (decision) => interpreter.carryOut(decision, context), store });
  const drop = () => (dropping ??= interpreter.drop(id));

  function conversation() {
    return loadConversation(messages, { store, of: context });
  }

  /** Why nothing is taken any more; undefined where it is. */
  function whyOver(): Fault | undefined {
    if (isStopped) failure ??= new Fault('closed', givenUp(id));
    return failure;
  }

  function accept(body: InputBody, by: Actor, sender: LetterSender): void {
    const over = whyOver();
    if (over !== undefined) return sender.reject?.(over);
    const settled = completeInput(body, context, {
      interpreter,
      put: (content) => putRemembered((unwritten ??= newUnwrittenBlobs()), blobs, content),
    });
    if (intake === undefined && !(settled instanceof Promise)) return put(settled, by, sender);
    // Content on its way to a blob holds up what came after it, so that order is kept.
    const chained = (intake ?? Promise.resolve())
      .then(async () => put(await settled, by, sender))
      .catch((error: unknown) => {
        suspend(error);
        sender.reject?.(asFault(id, error));
      });
    intake = chained;
    void chained.then(() => {
      if (intake === chained) intake = undefined;
    });
  }

  function put(body: InputBody, by: Actor, sender: LetterSender): void {
    // Content that was on its way to a blob may come when all is over.
    const over = whyOver();
    if (over !== undefined) return sender.reject?.(over);
    mailbox.push({ input: { ...body, at: timeAt(Math.max(now(), state.updatedAt)), by }, sender });
    startDraining();
  }

  function recover(): Promise<Receipt> {
    const body = {
      type: 'session-recovered',
      epoch: claim.epoch,
      ...(claim.fences >= mostFences && isUnproven && { crashes: claim.fences }),
    } as const;
    // What comes while the calls are described again waits behind the recovery.
    const described = (intake ?? Promise.resolve()).then(() => describeAgain(body, context, interpreter));
    const { promise, resolve, reject } = Promise.withResolvers<Receipt>();
    const chained = described.then((recovered) => {
      const over = whyOver();
      if (over !== undefined) return reject(over);
      const input = { ...recovered, at: timeAt(Math.max(now(), state.updatedAt)), by: host };
      // Before everything that waits: what comes later is decided on what really runs.
      mailbox.unshift({ input, sender: { ...nobody, resolve, reject }, recovers: true });
      startDraining();
    }, reject);
    intake = chained;
    void chained.then(() => {
      if (intake === chained) intake = undefined;
    });
    return promise;
  }

  /** Letters that cause no event are dealt with at once: then it is over before there is a promise of it. */
  function startDraining(): void {
    if (!isDraining) draining = drain();
  }

  async function drain(): Promise<void> {
    let letters: readonly Letter[] = [];
    isDraining = true;
    try {
      while (mailbox.length > 0 && !isStopped && failure === undefined) {
        const taken = mailbox;
        letters = taken.length === 1 ? taken : withoutRepeats(taken);
        mailbox = letters.length === taken.length ? [] : taken.filter((letter) => !letters.includes(letter));
        let rest = letters;
        for (;;) {
          const fresh = stepAll(step, state, rest);
          const stepped = fresh.some(isKeyedRefusal) ? await withEarlierReceipts(fresh) : fresh;
          const writing = stepped.every(writes) ? stepped : stepped.filter(writes);
          const settles = stepped.flatMap(settlementOf);
          if (writing.length > 0 || settles.length > 0) {
            isAppending = true;
            const next = stepped.at(-1)?.transition.state ?? state;
            const request = requestFor(writing, next, settles);
            const answer = await appendPatiently(request, {
              journal,
              pause: parts.pause,
              isOver: () => isStopping,
              onBusy: () => (store.leases.standing() === 'lapsed' ? halt() : undefined),
            });
            isAppending = false;
            if (answer.type !== 'appended') {
              rest = await withoutRepeated(rest, writing, answer);
              continue;
            }
            ({ position } = answer);
            projected.writtenDue = projected.due;
            forgetWritten(unwritten, request.records, { isLast: mailbox.length === 0 && intake === undefined });
            prove(stepped);
          }
          settle(stepped);
          break;
        }
      }
    } catch (error) {
      suspend(error);
      // Those already answered take no notice.
      for (const { sender } of letters) sender.reject?.(asFault(id, error));
    } finally {
      isDraining = false;
    }
  }

  function requestFor(
    writing: readonly Stepped[],
    next: State,
    settles: NonNullable<AppendRequest['settles']>,
  ): AppendRequest {
    const request: { -readonly [Key in keyof AppendRequest]: AppendRequest[Key] } = {
      session: id,
      position,
      expected: state.seq,
      records: writing.map(recordOf),
    };
    if (writing.length > 0) request.projection = project(projected, next, eventsOf(writing));
    if (settles.length > 0) request.settles = settles;
    if (unwritten !== undefined && unwritten.lost.length > 0) request.lost = unwritten.lost;
    if (writing.some(({ letter }) => letter.recovers)) request.recovered = true;
    if (state.seq === 0 && creation !== undefined) request.creation = creation;
    return request;
  }

  /** A refused input whose key was used before gets the answer that it got then: its first copy may have been accepted. */
  async function withEarlierReceipts(stepped: readonly Stepped[]): Promise<readonly Stepped[]> {
    return Promise.all(
      stepped.map(async (one) => {
        const { key } = one.letter.sender;
        const before = key !== undefined && isKeyedRefusal(one) ? await receiptOfKey(journal, id, key) : undefined;
        return before === undefined ? one : { ...one, before };
      }),
    );
  }

  /** An append after its recovery shows that this owner doesn't fail where earlier ones did. */
  function prove(stepped: readonly Stepped[]): void {
    if (!isUnproven || stepped.some(({ letter }) => letter.recovers)) return;
    isUnproven = false;
    claim.cleaned().catch(() => undefined);
  }

  /** A letter that repeats a key gets the first answer, and the others are stepped without it. */
  async function withoutRepeated(
    letters: readonly Letter[],
    writing: readonly Stepped[],
    answer: Exclude<AppendAnswer, { type: 'appended' }>,
  ): Promise<readonly Letter[]> {
    if (answer.type === 'blob-missing') {
      await putAgain((unwritten ??= newUnwrittenBlobs()), blobs, answer.hashes);
      return letters;
    }
    if (answer.type !== 'duplicate' && answer.type !== 'key-reused') throw refusedAppend(id, answer);
    const repeated = writing[answer.index]?.letter;
    invariant(repeated !== undefined, 'journal: a repeated key names a record of the append');
    const used = repeated.sender.key ?? { key: '', digest: '' };
    const digest = answer.type === 'duplicate' ? used.digest : '';
    const answered = await receiptOf(journal, id, used, { digest, seq: answer.seq });
    return letters.map((letter) => (letter === repeated ? { ...letter, answered } : letter));
  }

  function settle(stepped: readonly Stepped[]): void {
    for (const one of stepped) {
      const { letter, transition, json } = one;
      const { events } = transition;
      const receipt = receiptFor(one, state);
      ({ state } = transition);
      context.state = state;
      live.state = state;
      const { watch, resolve } = letter.sender;
      const first = namedIn(events);
      // Watched before anything is told, since the turn may end within this very transition.
      const turn = watch === undefined || first === undefined ? undefined : awaitTurn(turns, first.seq, watch);
      let index = 0;
      for (const recorded of events) {
        tell(recorded, json[index] ?? '');
        index += 1;
      }
      resolve?.(turn === undefined || receipt.type === 'refused' ? receipt : { ...receipt, turn });
    }
    // What was committed while it stops is left to the next owner.
    if (!isStopping) for (const { transition } of stepped) gate.pass(transition.decisions);
    gate.settled(state);
    stand();
    keepSnapshot(snapshots, journal, claim, state);
  }

  async function halt(): Promise<void> {
    if (isStopped || failure !== undefined) return;
    gate.halt();
    await interpreter.drop(id);
  }

  function resume(): void {
    if (isStopped || isStopping || failure !== undefined) return;
    // Rejects where the session is suspended in between: then whoever opens it recovers it.
    if (gate.open() === 'recover') recover().catch(() => undefined);
  }

  /** Who waits is told that the turn stands still, but not while an answer may be on its way from here. */
  function stand(): void {
    const isSettled = !isAppending && mailbox.length === 0 && intake === undefined && !interpreter.isAsking(id);
    if (isSettled) watchStanding(turns, state);
  }

  function tell(recorded: Recorded, json: string): void {
    const { event } = recorded;
    extendMessages(messages, recorded);
    if (event.type === 'model-settled') endStream(streams, event.effect);
    else if (event.type === 'agent-reported') endText(streams, event.report);
    else if (event.type === 'turn-ended') clearStreams(streams);
    broadcast?.tell({ type: 'event', recorded, json });
    watchEvent(turns, recorded);
    parts.onEvent?.(id, recorded, state);
  }

  function suspend(error: unknown): void {
    if (isStopped || failure !== undefined) return;
    failure = asFault(id, error);
    void drop();
    for (const { sender } of mailbox) sender.reject?.(failure);
    mailbox = [];
    failWaiting(turns, failure);
    parts.onSuspended(id, failure);
    broadcast?.end();
  }

  const live: LiveSession & { state: State } = {
    id,
    state,
    claim,
    streams,
    turns,
    stand,
    holdUp: (questions) => watchHeldUp(turns, questions),
    context,
    submit: (body, from) =>
      new Promise((resolve, reject) => {
        accept(body, from.by, { resolve, reject, key: keyOf(body, from), watch: undefined });
      }),
    prompt: (body, from, watch) =>
      new Promise((resolve, reject) => {
        accept(body, from.by, { resolve, reject, key: keyOf(body, from), watch });
      }),
    take: (body, from, letter) =>
      new Promise((resolve, reject) => {
        accept(body, from.by, { resolve, reject, key: keyOf(body, from), watch: undefined, letter });
      }),
    async recover() {
      await recover();
    },
    halt,
    resume,
    boundary: () => gate.boundary(state),
    settled: () => (isDraining ? draining : undefined),
    async persist() {
      if (mailbox.length > 0) startDraining();
      await draining;
      const over = whyOver();
      if (over !== undefined) throw over;
    },
    broadcast: () => (broadcast ??= createBroadcast()),
    isListenedTo: () => broadcast !== undefined && broadcast.listeners() > 0,
    // An unwritten set-up waits for the first input; until then there is nothing to hibernate to.
    isQuiet: () => !isDraining && intake === undefined && mailbox.length === 0,
    async stop() {
      isStopping = true;
      // First, since nobody may wait for a commit that hangs: from here on nothing begins.
      const dropped = drop();
      await intake;
      await draining;
      isStopped = true;
      const over = turns.waiters.length === 0 ? undefined : whyOver();
      if (over !== undefined) failWaiting(turns, over);
      broadcast?.end();
      if (state.seq > 0) await flushSnapshot(snapshots, journal, claim, state);
      return dropped;
    },
  };
  return live;
}

function eventsOf(stepped: readonly Stepped[]): readonly Recorded[] {
  const [first] = stepped;
  if (stepped.length === 1 && first !== undefined) return first.transition.events;
  return stepped.flatMap(({ transition }) => transition.events);
}

const writes = ({ transition }: Stepped) => transition.events.length > 0;

const isKeyedRefusal = ({ letter, transition }: Stepped) =>
  letter.sender.key !== undefined && transition.refusal !== undefined;

/** What the sender is to know: as if `before` the input had been taken. */
function receiptFor({ transition, before }: Stepped, { seq }: State): Receipt {
  const { events, refusal } = transition;
  if (before !== undefined) return before;
  if (refusal !== undefined) return { type: 'refused', refusal };
  return { type: 'accepted', seq: namedIn(events)?.seq ?? seq };
}

function settlementOf(stepped: Stepped): NonNullable<AppendRequest['settles']> {
  const { letter, from } = stepped;
  const number = letter.sender.letter;
  return number === undefined ? [] : [{ letter: number, answer: JSON.stringify(receiptFor(stepped, from)) }];
}

/** Owners in a row that ended in the middle of a session: the third ends its turn. */
const mostFences = 3;

function endText(streams: Streams, report: AgentReport): void {
  const effect = report.type === 'message' || report.type === 'thought' ? report.effect : undefined;
  if (effect !== undefined) endStream(streams, effect);
}
