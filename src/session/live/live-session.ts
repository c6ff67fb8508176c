/** One session alive in its owner's process, as the rest of the process sees it; made by `start-session.ts`. */
import type { AppendRequest } from '../../ports/journal.ts';
import type { Claim } from '../../ports/lease.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { EffectId, SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import type { State } from '../../kernel/state.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Broadcast } from './broadcast.ts';
import type { EffectHost } from '../../ports/effect-host.ts';
import type { Sender } from '../mailbox/letter.ts';
import type { LoadedSession } from '../read/load-session.ts';
import type { PromptReceipt, Receipt, WaitOptions } from '../receipt.ts';
import type { Streams } from './streams.ts';
import type { TurnWatch } from './turn-watch.ts';

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
  readonly context: EffectHost;
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

/** What a live session starts from. */
export interface OpenedSession extends Pick<LoadedSession, 'state' | 'snapshotSeq' | 'snapshotSize'> {
  readonly claim: Claim;
  /** A new session's set-up: written together with the first input, so that an unused session leaves no trace. */
  readonly setup?: {
    readonly body: InputBody;
    readonly by: Actor;
    readonly creation: AppendRequest['creation'] | undefined;
  };
}
