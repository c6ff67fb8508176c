/**
 * Inputs for a session that another process owns. Durable before `put` answers; the owner is woken,
 * takes them in order and settles each one. An input left unsettled by a dying owner is taken again
 * by the next; its key keeps it from counting twice.
 */
import type { SessionId } from '../kernel/ids.ts';

export interface Inbox {
  put(session: SessionId, message: { readonly key: string; readonly body: string }): Promise<number>;
  /** All unsettled messages, oldest first; given again until they are settled. */
  take(session: SessionId): Promise<readonly InboxMessage[]>;
  settle(id: number, answer: string): Promise<void>;
  /** Waits for the owner's answer to a message; undefined when none came in time. The message stays. */
  answerTo(id: number, options: { readonly timeoutMs: number }): Promise<string | undefined>;
  /** Sessions with unsettled messages, whoever owns them: what a starting server looks through. */
  pending(): Promise<readonly SessionId[]>;
  /** Messages for sessions that this process owns. What lay there before it owned them is taken when they are claimed. */
  onArrival(listener: (session: SessionId) => void): () => void;
}

export interface InboxMessage {
  readonly id: number;
  readonly key: string;
  readonly body: string;
}
