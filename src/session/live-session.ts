/**
 * One session alive in its owner's process: a mailbox and a loop around `step`.
 *
 * 1. Commit, then interpret: no decision is carried out, no follower told and no sender answered
 *    before the events of its transition are on disk.
 * 2. Inputs that arrive while a commit runs are stepped together and share the next one.
 * 3. A failed append suspends the session: nothing further is done, its effects are dropped, every
 *    waiting sender is told. The process and all other sessions go on; opening it again starts from disk.
 */
import type { AppendAnswer, AppendRequest } from '../journal/journal.ts';
import type { Store } from '../journal/store.ts';
import { system, type Actor } from '../kernel/actor.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { InputBody } from '../kernel/input.ts';
import type { AgentReport } from '../kernel/report.ts';
import type { State } from '../kernel/state.ts';
import type { Step } from '../kernel/step.ts';
import { createBroadcast, type Broadcast } from './broadcast.ts';
import { completeInput } from './complete-input.ts';
import { extendMessages, loadConversation, newContextMessages } from './context-messages.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';
import { namedIn, receiptOf } from './key-receipt.ts';
import {
  keyOf,
  nobody,
  recordOf,
  stepAll,
  type Letter,
  type LetterSender,
  type Sender,
  type Stepped,
} from './letter.ts';
import { project, projectedOf } from './projector.ts';
import type { PromptReceipt, Receipt } from './receipt.ts';
import { asFault, refusedAppend } from './session-fault.ts';
import { flushSnapshot, keepSnapshot, type SnapshotKeeper } from './snapshot-keeper.ts';
import { addProgress, clearStreams, endStream, newStreams, type Streams } from './streams.ts';
import {
  awaitTurn,
  failWaiting,
  newTurnWatch,
  watchEvent,
  watchStanding,
  type TurnWatch,
  type WaitOptions,
} from './turn-watch.ts';

export interface LiveSession {
  readonly id: SessionId;
  readonly state: State;
  readonly epoch: number;
  readonly streams: Streams;
  readonly turns: TurnWatch;
  /** Tells those who wait for the turn if only a person can move it on. */
  stand(): void;
  readonly context: EffectContext;
  /** Rejects with a `Fault` when the session is or becomes suspended. */
  submit(input: InputBody, from: Sender): Promise<Receipt>;
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
  /** Stops taking inputs, waits for the commit under way and drops what is in flight. */
  stop(): Promise<void>;
}

export interface LiveSessionParts {
  readonly store: Pick<Store, 'journal' | 'blobs'>;
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly now: () => number;
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly onSuspended: (session: SessionId, fault: Fault) => void;
}

export interface OpenedSession {
  readonly state: State;
  readonly epoch: number;
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
  const { id } = opened.state;
  const { creation } = opened.setup ?? {};
  let { state } = opened;
  let mailbox: Letter[] = [];
  if (opened.setup !== undefined) {
    const input = { ...opened.setup.body, at: now(), by: opened.setup.by };
    mailbox.push({ input, sender: nobody, ahead: step(state, input) });
  }
  let isDraining = false;
  let draining: Promise<void> | undefined;
  let intake: Promise<void> | undefined;
  let isAppending = false;
  let failure: Fault | undefined;
  let isStopped = false;
  /** Made for the first who listens: most sessions that wait have nobody. */
  let broadcast: Broadcast | undefined;
  const streams = newStreams();
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

  function conversation() {
    return loadConversation(messages, { store, of: context });
  }

  /** Why nothing is taken any more; undefined where it is. */
  function whyOver(): Fault | undefined {
    if (isStopped)
      failure ??= new Fault('closed', `Session ${id} was closed in this process; open it again to go on.`);
    return failure;
  }

  function accept(body: InputBody, by: Actor, sender: LetterSender): void {
    const over = whyOver();
    if (over !== undefined) return sender.reject?.(over);
    const settled = completeInput(body, context, parts);
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
    mailbox.push({ input: { ...body, at: Math.max(now(), state.updatedAt), by }, sender });
    startDraining();
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
        letters = mailbox;
        mailbox = [];
        let rest = letters;
        for (;;) {
          const stepped = stepAll(step, state, rest);
          const writing = stepped.every(writes) ? stepped : stepped.filter(writes);
          if (writing.length > 0) {
            isAppending = true;
            const answer = await journal.append(requestFor(writing, stepped.at(-1)?.transition.state ?? state));
            isAppending = false;
            if (answer.type !== 'appended') {
              rest = await withoutRepeated(rest, writing, answer);
              continue;
            }
            projected.writtenDue = projected.due;
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

  function requestFor(writing: readonly Stepped[], next: State): AppendRequest {
    const request = {
      session: id,
      epoch: opened.epoch,
      expected: state.seq,
      records: writing.map(recordOf),
      projection: project(projected, next, eventsOf(writing)),
    };
    return state.seq === 0 && creation !== undefined ? { ...request, creation } : request;
  }

  /** What is left to be stepped when a letter repeats a key: its sender gets the first answer. */
  async function withoutRepeated(
    letters: readonly Letter[],
    writing: readonly Stepped[],
    answer: Exclude<AppendAnswer, { type: 'appended' }>,
  ): Promise<readonly Letter[]> {
    if (answer.type !== 'duplicate' && answer.type !== 'key-reused') throw refusedAppend(id, answer);
    const repeated = writing[answer.index]?.letter;
    invariant(repeated !== undefined, 'journal: a repeated key names a record of the append');
    // What it repeats may be in this very append and is not on disk yet: then it waits for the next one.
    if (answer.seq > state.seq) mailbox.unshift(repeated);
    else {
      const used = repeated.sender.key ?? { key: '', digest: '' };
      const digest = answer.type === 'duplicate' ? used.digest : '';
      repeated.sender.resolve?.(await receiptOf(journal, id, used, { digest, seq: answer.seq }));
    }
    return letters.filter((letter) => letter !== repeated);
  }

  function settle(stepped: readonly Stepped[]): void {
    for (const { letter, transition, json } of stepped) {
      const before = state;
      ({ state } = transition);
      context.state = state;
      live.state = state;
      const { watch, resolve } = letter.sender;
      const { events, refusal } = transition;
      const first = namedIn(events);
      // Watched before anything is told, since the turn may end within this very transition.
      const turn = watch === undefined || first === undefined ? undefined : awaitTurn(turns, first.seq, watch);
      let index = 0;
      for (const recorded of events) {
        tell(recorded, json[index] ?? '');
        index += 1;
      }
      if (resolve === undefined) continue;
      const seq = first?.seq ?? before.seq;
      if (refusal !== undefined) resolve({ type: 'refused', refusal });
      else resolve(turn === undefined ? { type: 'accepted', seq } : { type: 'accepted', seq, turn });
    }
    for (const { transition } of stepped) {
      for (const decision of transition.decisions) interpreter.carryOut(decision, context);
    }
    stand();
    keepSnapshot(snapshots, journal, state);
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
    interpreter.drop(id);
    for (const { sender } of mailbox) sender.reject?.(failure);
    mailbox = [];
    failWaiting(turns, failure);
    parts.onSuspended(id, failure);
    broadcast?.end();
  }

  const live: LiveSession & { state: State } = {
    id,
    state,
    epoch: opened.epoch,
    streams,
    turns,
    stand,
    context,
    submit: (body, from) =>
      new Promise((resolve, reject) => {
        accept(body, from.by, { resolve, reject, key: keyOf(body, from), watch: undefined });
      }),
    prompt: (body, from, watch) =>
      new Promise((resolve, reject) => {
        accept(body, from.by, { resolve, reject, key: keyOf(body, from), watch });
      }),
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
      await intake;
      await draining;
      if (failure === undefined && !isStopped) interpreter.drop(id);
      isStopped = true;
      const over = turns.waiters.length === 0 ? undefined : whyOver();
      if (over !== undefined) failWaiting(turns, over);
      broadcast?.end();
      if (state.seq > 0) await flushSnapshot(snapshots, journal, state);
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

function endText(streams: Streams, report: AgentReport): void {
  const effect = report.type === 'message' || report.type === 'thought' ? report.effect : undefined;
  if (effect !== undefined) endStream(streams, effect);
}
