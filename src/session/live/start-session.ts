/**
 * A session alive in its owner's process: a mailbox and a loop around `step`.
 *
 * 1. Commit, then interpret: Rondo carries out no decision, notifies no follower and answers no sender before the
 *    transition's events are on disk.
 * 2. Inputs that arrive during a commit are stepped together and share the next commit.
 * 3. A failed append suspends the session: it does nothing more, drops its effects and rejects every waiting sender
 *    with the fault. The process and all other sessions continue. Reopening the session starts from disk.
 * 4. An owner that isn't certain of its lease starts nothing. An owner whose lease lapsed stops what runs
 *    (`owner-gate.ts`). If no other process took over, it recovers its own session and continues.
 */
import type { Store } from '../../ports/store.ts';
import type { Fault } from '../../kernel/fault.ts';
import type { EffectId, SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import type { Step } from '../../kernel/decide/step.ts';
import type { BootTime } from '../../kernel/time.ts';
import { announce, broadcastOf, newAudience, type EventObserver } from './audience.ts';
import { commitLetters, newCommits, type CommitParts } from '../mailbox/commit-letters.ts';
import { createEffectContext } from './effect-context.ts';
import { acceptInput, letterAhead, recoverFirst, sendInto, type Intake } from '../mailbox/intake.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import { nobody, type Stepped } from '../mailbox/letter.ts';
import type { LiveSession, OpenedSession } from './live-session.ts';
import {
  closeMailbox,
  isMailboxEmpty,
  newMailbox,
  startDraining,
  type LetterHandler,
} from '../mailbox/mailbox.ts';
import { createOwnerGate } from './owner-gate.ts';
import { asFault, releasedFault, unended } from '../mailbox/session-fault.ts';
import { flushSnapshot, keepSnapshot, type SnapshotKeeper } from './snapshot-keeper.ts';
import { failWaiting, watchHeldUp, watchStanding } from './turn-watch.ts';

interface StartParts {
  readonly store: Pick<Store, 'journal' | 'blobs'> & { readonly leases: Pick<Store['leases'], 'standing'> };
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly now: () => number;
  readonly bootTime: () => BootTime;
  /** Resolves after this many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly onEvent?: EventObserver;
  readonly onSuspended: (session: SessionId, fault: Fault) => void;
}

export function startSession(parts: StartParts, opened: OpenedSession): LiveSession {
  const { store, interpreter, step, now } = parts;
  const { journal, blobs, leases } = store;
  const { claim } = opened;
  const { id } = opened.state;
  let { state } = opened;
  let isStopping = false;
  let dropping: Promise<readonly EffectId[]> | undefined;
  /** Set while effects are stopped because the lease lapsed. */
  let halting: Promise<readonly EffectId[]> | undefined;
  const mailbox = newMailbox();
  const commits = newCommits(claim, state, opened.setup?.creation);
  const audience = newAudience(state);
  const { turns } = audience;
  const snapshots: SnapshotKeeper = { kept: opened.snapshotSeq, size: opened.snapshotSize, saving: undefined };
  const isOver = () => mailbox.closed !== undefined;
  const setup = opened.setup && letterAhead(opened.setup, state, parts);
  if (setup !== undefined) mailbox.letters.push(setup);
  const context = createEffectContext({
    claim,
    state: setup?.ahead?.state ?? state,
    store,
    audience,
    isOver,
    deliver: (body, by) => acceptInput(intake, body, by, nobody),
    leftOpen: stand,
    bootTime: parts.bootTime,
  });
  const gate = createOwnerGate({ carryOut: (decision) => interpreter.carryOut(decision, context), store });
  const commitParts: CommitParts = {
    journal,
    blobs,
    step,
    pause: parts.pause,
    isOver: () => isStopping,
    isLast: () => isMailboxEmpty(mailbox),
    onBusy: () => (leases.standing() === 'lapsed' ? halt() : undefined),
  };
  const handler: LetterHandler = {
    handle(letters) {
      const committed = commitLetters(commits, state, letters, commitParts);
      return committed instanceof Promise ? committed.then(settle) : settle(committed);
    },
    failed(error, senders) {
      suspend(error);
      // No effect on senders that already have an answer.
      for (const sender of senders) sender.reject?.(asFault(id, error));
    },
  };

  const intake: Intake = { mailbox, handler, context, commits, interpreter, blobs, now };
  const drop = () => (dropping ??= interpreter.drop(id));

  function settle(stepped: readonly Stepped[]): undefined {
    for (const one of stepped) {
      ({ state } = one.transition);
      context.state = state;
      live.state = state;
      announce(audience, one, parts.onEvent);
    }
    // Decisions committed while the session stops are left to the next owner.
    if (!isStopping) for (const { transition } of stepped) gate.pass(transition.decisions);
    gate.settled(state);
    stand();
    keepSnapshot(snapshots, journal, claim, state);
  }

  /** Notifies waiting callers that the turn is blocked, unless an answer may still come from this process. */
  function stand(): void {
    const isSettled = !commits.isAppending && isMailboxEmpty(mailbox) && !interpreter.isAsking(id);
    if (isSettled) watchStanding(turns, state);
  }

  async function halt(): Promise<void> {
    if (isOver()) return;
    gate.halt();
    halting ??= interpreter.drop(id);
    await halting;
  }

  /** The stopped effect must have ended first. Otherwise a tool would run twice at the same time. */
  async function recoverAfter(stopped: Promise<readonly EffectId[]>): Promise<void> {
    const running = await stopped;
    const isOutdated = halting !== stopped || isStopping || isOver() || leases.standing() !== 'sure';
    if (isOutdated) return;
    halting = undefined;
    if (running.length > 0) {
      suspend(unended(id, running));
      return;
    }
    gate.open();
    // Rejects if the session is suspended in between. The process that opens it next recovers it.
    await recoverFirst(intake).catch(() => undefined);
  }

  function suspend(error: unknown): void {
    if (isOver()) return;
    const fault = asFault(id, error);
    void drop();
    closeMailbox(mailbox, fault);
    failWaiting(turns, fault);
    parts.onSuspended(id, fault);
    audience.broadcast?.end();
  }

  const live: LiveSession & { state: State } = {
    id,
    state,
    claim,
    streams: audience.streams,
    turns,
    stand,
    holdUp: (questions) => watchHeldUp(turns, questions),
    context,
    submit: (body, from) => sendInto(intake, body, from, { watch: undefined }),
    prompt: (body, from, watch) => sendInto(intake, body, from, { watch }),
    take: (body, from, letter) => sendInto(intake, body, from, { watch: undefined, letter }),
    async recover() {
      await recoverFirst(intake);
    },
    halt,
    resume() {
      if (isStopping || isOver()) return;
      if (halting === undefined) gate.open();
      else void recoverAfter(halting);
    },
    boundary: () => gate.boundary(state),
    settled: () => (mailbox.isDraining ? mailbox.draining : undefined),
    async persist() {
      if (mailbox.letters.length > 0) startDraining(mailbox, handler);
      await mailbox.draining;
      if (mailbox.closed !== undefined) throw mailbox.closed;
    },
    broadcast: () => broadcastOf(audience),
    isListenedTo: () => audience.broadcast !== undefined && audience.broadcast.listeners() > 0,
    // An unwritten setup waits for the first input. Until then the session has nothing to hibernate to.
    isQuiet: () => !mailbox.isDraining && isMailboxEmpty(mailbox),
    async endEffects() {
      gate.halt();
      await drop();
    },
    async stop() {
      isStopping = true;
      // First, because a commit may hang: nothing starts after this line.
      const dropped = drop();
      await mailbox.intake;
      await mailbox.draining;
      closeMailbox(mailbox, releasedFault(id));
      if (mailbox.closed !== undefined) failWaiting(turns, mailbox.closed);
      audience.broadcast?.end();
      if (state.seq > 0) await flushSnapshot(snapshots, journal, claim, state);
      return dropped;
    },
  };
  return live;
}
