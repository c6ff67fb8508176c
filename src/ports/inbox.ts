/**
 * Inputs for a session that another process owns. They are durable before `put` answers. The owner is woken and
 * takes them in order. The append that an input causes also settles it (O8: `AppendRequest.settles`), so its
 * outcome can't be lost. If the owner dies first, the next one takes the input again.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Inbox {
  put(session: SessionId, message: { readonly key: string; readonly body: string }): Promise<number>;
  /** All unsettled messages, oldest first. Returned until they are settled. */
  take(session: SessionId): Promise<readonly InboxMessage[]>;
  /** Withdraws an unsettled message, with an answer for its sender. */
  withdraw(id: number, answer: string): Promise<void>;
  /** Sets an unreadable message aside with an answer for its sender. It is kept and blocks nobody. */
  bury(id: number, why: { readonly answer: string; readonly reason: string }): Promise<void>;
  /** Messages set aside, oldest first. */
  buried(): Promise<readonly BuriedMessage[]>;
  /** Waits for the owner's answer; undefined after the timeout. The message stays. */
  answerTo(id: number, options: { readonly timeoutMs: number }): Promise<string | undefined>;
  /** Sessions with unsettled messages, under any owner. */
  pending(): Promise<readonly SessionId[]>;
  /**
   * Messages for sessions that this process owns. Called repeatedly for a session while messages are unsettled and
   * something changed (O14). Earlier messages are taken when the session is claimed.
   */
  onArrival(listener: (session: SessionId) => void): () => void;
}

export interface InboxMessage {
  readonly id: number;
  readonly key: string;
  readonly body: string;
}

export interface BuriedMessage extends InboxMessage {
  readonly session: SessionId;
  readonly reason: string;
}
