/**
 * Inputs for a session that another process owns. Durable before `put` answers. The owner is woken and
 * takes them in order; the append that an input leads to settles it (O8: `AppendRequest.settles`), so
 * that what became of it can't be lost in between. An input left unsettled by a dying owner is taken
 * again by the next.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Inbox {
  put(session: SessionId, message: { readonly key: string; readonly body: string }): Promise<number>;
  /** All unsettled messages, oldest first; returned again until they are settled. */
  take(session: SessionId): Promise<readonly InboxMessage[]>;
  /** Takes a message back that nobody settled yet, with the answer for whoever waits for it. */
  withdraw(id: number, answer: string): Promise<void>;
  /** Sets a message aside that can't be read, with the answer for its sender. It blocks nobody and is kept. */
  bury(id: number, why: { readonly answer: string; readonly reason: string }): Promise<void>;
  /** Messages that were set aside, oldest first. */
  buried(): Promise<readonly BuriedMessage[]>;
  /** Waits for the owner's answer to a message; undefined when none came in time. The message stays. */
  answerTo(id: number, options: { readonly timeoutMs: number }): Promise<string | undefined>;
  /** Sessions with unsettled messages, whoever owns them. */
  pending(): Promise<readonly SessionId[]>;
  /**
   * Messages for sessions that this process owns. Called again for the same session as long as messages are
   * unsettled and anything changed (O14); what lay there before is taken when the session is claimed.
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
