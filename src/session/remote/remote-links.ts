/**
 * Connections to the nodes that own sessions. They carry streamed text, and a hint whenever the owner committed
 * something. Events themselves come from the journal: an owner that lost its lease can't invent any.
 */
import type { Actor } from '../../kernel/actor.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Progress } from '../update.ts';

export interface RemoteLinks {
  /** Connects to the session's owner, and to its next owner. Failures are retried until it is stopped. */
  follow(session: SessionId, link: RemoteLink): () => void;
}

export interface RemoteLink {
  readonly for: Follower;
  /** The newest sequence that the follower has. */
  readonly after: () => number;
  readonly progress: (progress: Progress) => void;
  /** The owner committed events up to this sequence. */
  readonly committed: (seq: number) => void;
  /** Called at most once, if the owner has no address. */
  readonly otherwise: () => void;
}

/** On whose behalf a session is followed. */
export interface Follower {
  readonly person: Actor;
  readonly role: string;
}
