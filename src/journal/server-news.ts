import type { SessionId } from '../kernel/ids.ts';

/** Changes made by other processes. */
export interface News {
  readonly arrivals: readonly SessionId[];
  readonly handOvers: readonly (readonly [id: number, session: SessionId, withinMs: number | null])[];
  readonly free: readonly SessionId[];
  readonly answers: readonly (readonly [id: number, answer: string])[];
  readonly draining: boolean;
  readonly queue: number;
  readonly commits: readonly (readonly [session: SessionId, seq: number])[];
  /** Everything numbered below this has ended. */
  readonly oldest: number;
  readonly next: number;
  /** Differs after a restart or a promotion. */
  readonly server: string;
}

/** A server's wake-ups between machines. They may get lost. */
export interface Notifications {
  /** Starts listening after a moment. */
  startSoon(): void;
  /** Whether notifications arrive here. */
  arrive(): boolean;
  onNotified(listener: () => void): () => void;
  /** Wakes the others soon. */
  notify(): void;
  close(): Promise<void>;
}
