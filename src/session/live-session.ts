/**
 * One session alive in its owner's process: a mailbox and a loop around `step`.
 *
 * 1. Commit, then interpret: no decision is carried out, no follower told and no sender answered
 *    before the events of its transition are on disk.
 * 2. Inputs that arrive while a commit runs are stepped together and share the next one.
 * 3. A failed append suspends the session: nothing further is done, its effects are dropped, every
 *    waiting sender is told. The process and all other sessions go on; opening it again starts from disk.
 */
import type { AppendAnswer } from '../journal/journal.ts';
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
import { completeInput } from './complete-input.ts';
import { createBroadcast, type Broadcast } from './broadcast.ts';
import { createContextMessages, type ContextMessages } from './context-messages.ts';
import type { EffectContext, Interpreter } from './interpreter.ts';
import { namedIn, receiptOf } from './key-receipt.ts';
import { keyed, recordOf, stepAll, type Letter, type Sender, type Stepped } from './letter.ts';
import { createProjector } from './projector.ts';
import type { PromptReceipt, Receipt } from './receipt.ts';
import { asFault, refusedAppend } from './session-fault.ts';
import { createSnapshotKeeper } from './snapshot-keeper.ts';
import { createStreams, type Streams } from './streams.ts';
import { createTurnWatch, type TurnWatch, type WaitOptions } from './turn-watch.ts';

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
  readonly broadcast: Omit<Broadcast, 'tell' | 'end'>;
  /** Resolves once the commit under way has become the state: who has read an event finds it there. */
  settled(): Promise<void>;
  /** Nothing in the mailbox and no commit under way. */
  readonly isQuiet: boolean;
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
  /** A new session's set-up: written together with the first input, so that an unused session leaves no trace. */
  readonly setup?: {
    readonly body: InputBody;
    readonly by: Actor;
    readonly creation?: { readonly key: string; readonly digest: string };
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
    mailbox.push({ input: { ...opened.setup.body, at: now(), by: opened.setup.by } });
  }
  let draining: Promise<void> | undefined;
  let intake: Promise<void> | undefined;
  let isAppending = false;
  let failure: Fault | undefined;
  const broadcast = createBroadcast();
  const streams = createStreams();
  const turns = createTurnWatch();
  const messages: ContextMessages = createContextMessages({
    store,
    session: id,
    isNew: opened.state.seq === 0,
    context: () => state.context,
  });
  const projector = createProjector(opened.state);
  const snapshots = createSnapshotKeeper(journal, id, opened.snapshotSeq);

  const context: EffectContext = {
    session: id,
    get state() {
      const [setup] = state.seq === 0 ? mailbox : [];
      return setup === undefined ? state : step(state, setup.input).state;
    },
    messages: async () => (await messages.load()).messages,
    conversation: () => messages.load(),
    async agentPrompt() {
      const { messages: all, agentPrompt } = await messages.load();
      return { before: all.slice(0, agentPrompt.from), told: all.slice(agentPrompt.from, agentPrompt.to) };
    },
    deliver: (body, by = system) => accept({ body, by }),
    leftOpen: stand,
    progress(progress) {
      if (failure === undefined) broadcast.tell(streams.add(progress));
    },
    async read(ref) {
      const content = await blobs.get(ref.blob);
      return content ?? `${ref.preview}\n[the rest of this content is missing from the store]`;
    },
  };

  function accept(post: Omit<Letter, 'input'> & { readonly body: InputBody; readonly by: Actor }): void {
    const { body, by, ...rest } = post;
    if (failure !== undefined) return rest.reject?.(failure);
    const settled = completeInput(body, state, { blobs, interpreter });
    const put = (ready: InputBody) => {
      mailbox.push({ ...rest, input: { ...ready, at: Math.max(now(), state.updatedAt), by } });
      draining ??= drain();
    };
    if (intake === undefined && !(settled instanceof Promise)) return put(settled);
    // Content on its way to a blob holds up what came after it, so that order is kept.
    const chained = (intake ?? Promise.resolve()).then(async () => put(await settled)).catch(suspend);
    intake = chained;
    void chained.then(() => {
      if (intake === chained) intake = undefined;
    });
  }

  async function drain(): Promise<void> {
    let letters: readonly Letter[] = [];
    try {
      while (mailbox.length > 0 && failure === undefined) {
        letters = mailbox;
        mailbox = [];
        await commit(letters);
      }
    } catch (error) {
      suspend(error);
      // Those already answered take no notice.
      for (const letter of letters) letter.reject?.(asFault(id, error));
    } finally {
      draining = undefined;
    }
  }

  async function commit(letters: readonly Letter[]): Promise<void> {
    let rest = letters;
    for (;;) {
      const stepped = stepAll(step, state, rest);
      const writing = stepped.filter(({ transition }) => transition.events.length > 0);
      if (writing.length === 0) return settle(stepped);
      const next = stepped.at(-1)?.transition.state ?? state;
      const answer = await append(writing, next);
      if (answer.type === 'appended') {
        projector.wrote();
        return settle(stepped);
      }
      const repeated = writing[answer.index]?.letter;
      invariant(repeated !== undefined, 'journal: a repeated key names a record of the append');
      rest = rest.filter((letter) => letter !== repeated);
      // What it repeats may be in this very append and is not on disk yet: then it waits for the next one.
      if (answer.seq > state.seq) mailbox.unshift(repeated);
      else {
        const used = repeated.key ?? { key: '', digest: '' };
        const digest = answer.type === 'duplicate' ? used.digest : '';
        repeated.resolve?.(await receiptOf(journal, id, used, { digest, seq: answer.seq }));
      }
    }
  }

  async function append(
    writing: readonly Stepped[],
    next: State,
  ): Promise<Extract<AppendAnswer, { type: 'appended' | 'duplicate' | 'key-reused' }>> {
    const events = writing.flatMap(({ transition }) => transition.events);
    isAppending = true;
    const answer = await journal.append({
      session: id,
      epoch: opened.epoch,
      expected: state.seq,
      records: writing.map(recordOf),
      projection: projector.project(next, events),
      ...(state.seq === 0 && creation !== undefined && { creation }),
    });
    isAppending = false;
    if (answer.type === 'appended' || answer.type === 'duplicate' || answer.type === 'key-reused') return answer;
    throw refusedAppend(id, answer);
  }

  function settle(stepped: readonly Stepped[]): void {
    for (const { letter, transition, json } of stepped) {
      const before = state;
      state = transition.state;
      const first = namedIn(transition.events);
      // Watched before anything is told, since the turn may end within this very transition.
      const turn =
        letter.watch === undefined || first === undefined ? undefined : turns.wait(first.seq, letter.watch);
      transition.events.forEach((recorded, index) => tell(recorded, json[index] ?? ''));
      letter.resolve?.(
        transition.refusal === undefined
          ? { type: 'accepted', seq: first?.seq ?? before.seq, ...(turn !== undefined && { turn }) }
          : { type: 'refused', refusal: transition.refusal },
      );
    }
    for (const { transition } of stepped) {
      for (const decision of transition.decisions) interpreter.carryOut(decision, context);
    }
    stand();
    snapshots.keep(state);
  }

  /** Who waits is told that the turn stands still, but not while an answer may be on its way from here. */
  function stand(): void {
    const isSettled = !isAppending && mailbox.length === 0 && intake === undefined && !interpreter.isAsking(id);
    if (isSettled) turns.stood(state);
  }

  function tell(recorded: Recorded, json: string): void {
    const { event } = recorded;
    messages.saw(recorded);
    if (event.type === 'model-settled') streams.end(event.effect);
    else if (event.type === 'agent-reported') endText(event.report);
    else if (event.type === 'turn-ended') streams.clear();
    broadcast.tell({ type: 'event', recorded, json });
    turns.saw(recorded);
    parts.onEvent?.(id, recorded, state);
  }

  function endText(report: AgentReport): void {
    const effect = report.type === 'message' || report.type === 'thought' ? report.effect : undefined;
    if (effect !== undefined) streams.end(effect);
  }

  function suspend(error: unknown): void {
    if (failure !== undefined) return;
    failure = asFault(id, error);
    interpreter.drop(id);
    for (const letter of mailbox) letter.reject?.(failure);
    mailbox = [];
    turns.fail(failure);
    parts.onSuspended(id, failure);
    broadcast.end();
  }

  return {
    id,
    get state() {
      return state;
    },
    epoch: opened.epoch,
    streams,
    turns,
    stand,
    context,
    submit: (body, from) =>
      new Promise((resolve, reject) => {
        accept({ body, by: from.by, resolve, reject, ...keyed(body, from) });
      }),
    prompt: (body, from, watch) =>
      new Promise((resolve, reject) => {
        accept({ body, by: from.by, resolve, reject, watch, ...keyed(body, from) });
      }),
    settled: () => draining ?? Promise.resolve(),
    async persist() {
      if (mailbox.length > 0) draining ??= drain();
      await draining;
      if (failure !== undefined) throw failure;
    },
    broadcast,
    get isQuiet() {
      // An unwritten set-up waits for the first input; until then there is nothing to hibernate to.
      return draining === undefined && intake === undefined && mailbox.length === 0;
    },
    async stop() {
      await intake;
      await draining;
      const isSuspended = failure !== undefined;
      failure ??= new Fault('closed', `Session ${id} was closed in this process; open it again to go on.`);
      if (!isSuspended) interpreter.drop(id);
      turns.fail(failure);
      broadcast.end();
      if (state.seq > 0) await snapshots.flush(state);
    },
  };
}
