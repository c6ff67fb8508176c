/** Many sessions in one process, as the rest of it sees them; made by `create-sessions.ts`. */
import type { AppendRequest } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { SessionSetup } from '../../kernel/input.ts';
import type { State } from '../../kernel/state.ts';
import type { Step } from '../../kernel/decide/step.ts';
import type { Draining } from './drain-sessions.ts';
import type { Acquired } from './held-sessions.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { LiveSession } from '../live/live-session.ts';

export interface Sessions extends AsyncDisposable {
  /** `creation`: a key that makes one session in the whole store. */
  create(id: SessionId, setup: SessionSetup, by: Actor, creation?: AppendRequest['creation']): LiveSession;
  acquire(session: SessionId): LiveSession | Promise<Acquired>;
  /**
   * What a session at rest is, read before it is owned; it is opened right after. Undefined where it is alive
   * here or has to be acquired first.
   */
  look(session: SessionId): Promise<State | undefined>;
  /** The session where it is alive in this process already. */
  live(session: SessionId): LiveSession | undefined;
  /** Takes over sessions that have work in flight, a due timer or letters, and whose owner is gone. */
  adopt(): Promise<readonly SessionId[]>;
  /** Writes what is pending, ends what runs and gives the session up. */
  release(session: SessionId): Promise<void>;
  /**
   * Ends what runs and releases every session. Nothing opens before the returned function is called. For a process that
   * is about to be stopped.
   */
  pause(): Promise<() => void>;
  readonly count: number;
  /** Aborted when this process begins to let go of everything. */
  readonly closing: AbortSignal;
  /** Refuses new inputs and waits for running turns to come to rest, no longer than the deadline. */
  drain(options: Draining): Promise<void>;
}

export interface SessionsParts {
  readonly store: Store;
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void };
  /** Ends processes that owners of a session before this epoch left running. */
  readonly killOrphans: (session: SessionId, options: { readonly below: number }) => Promise<void>;
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Told of every event after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly hibernateAfterMs: number;
  readonly maxLive: number;
}
