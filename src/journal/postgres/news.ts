import type { SessionId } from '../../kernel/ids.ts';

/** What other processes did; see `news-function.ts`. */
export interface News {
  readonly arrivals: readonly SessionId[];
  readonly handOvers: readonly (readonly [id: number, session: SessionId, withinMs: number | null])[];
  readonly free: readonly SessionId[];
  readonly answers: readonly (readonly [id: number, answer: string])[];
  readonly draining: boolean;
  readonly queue: number;
  readonly commits: readonly (readonly [session: SessionId, seq: number])[];
  /** Transactions below this number have ended. */
  readonly oldest: number;
  readonly next: number;
  /** Differs after a restart or a promotion. */
  readonly server: string;
}
