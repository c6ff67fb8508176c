/** A session alive in its owner's process, as the rest of the process sees it. Created by `start-session.ts`. */
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
  /** Notifies callers that wait for the turn if only a person can continue it. */
  stand(): void;
  /** Notifies callers that wait for the turn that other sessions' questions block it. */
  holdUp(questions: readonly OpenQuestion[]): void;
  readonly context: EffectHost;
  /** Rejects with a `Fault` if the session is or becomes suspended. */
  submit(input: InputBody, from: Sender): Promise<Receipt>;
  /** Accepts input from another process. The resulting append settles the letter. */
  take(input: InputBody, from: Sender, letter: number): Promise<Receipt>;
  /** Settles what was left in flight by an earlier owner, or by this one before its lease lapsed. */
  recover(): Promise<void>;
  /** Stops effects after this process's lease lapsed. */
  halt(): Promise<void>;
  /** Continues once the lease is certain again, after a recovery if effects were stopped. */
  resume(): void;
  /** Starts no more model calls. Resolves once everything started has settled. */
  boundary(): Promise<void>;
  /**
   * Like `submit`, and also returns the end of the turn that takes the prompt, even if it ends within the same
   * step.
   */
  prompt(input: InputBody, from: Sender, options: WaitOptions): Promise<PromptReceipt>;
  /** Writes an unused session's setup now. */
  persist(): Promise<void>;
  /** Delivers every update after its commit, and the end when the session leaves this process. */
  broadcast(): Omit<Broadcast, 'tell' | 'end'>;
  isListenedTo(): boolean;
  /** Resolves once the current commit is part of the state: a caller that has read an event finds it there. */
  settled(): Promise<void> | undefined;
  /** True if the mailbox is empty and no commit is running. */
  isQuiet(): boolean;
  /** Ends what runs, and starts nothing more. Input is still recorded. */
  endEffects(): Promise<void>;
  /**
   * Stops accepting input, waits for the current commit and ends what runs. Resolves with effects that can't be
   * ended.
   */
  stop(): Promise<readonly EffectId[]>;
}

/** A live session's initial data. */
export interface OpenedSession extends Pick<LoadedSession, 'state' | 'snapshotSeq' | 'snapshotSize'> {
  readonly claim: Claim;
  /** A new session's setup. Written together with the first input, so that an unused session leaves no trace. */
  readonly setup?: {
    readonly body: InputBody;
    readonly by: Actor;
    readonly creation: AppendRequest['creation'] | undefined;
  };
}
