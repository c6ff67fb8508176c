/** Many sessions in one process, as the rest of it sees them. Created by `create-sessions.ts`. */
import type { Clock } from '../../ports/clock.ts';
import type { AppendRequest } from '../../ports/journal.ts';
import type { ClaimableSession } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { SessionSetup } from '../../kernel/input.ts';
import type { State } from '../../kernel/state.ts';
import type { Step } from '../../kernel/decide/step.ts';
import type { Draining } from './drain-sessions.ts';
import type { Acquired, SessionPlaces } from './held-sessions.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { LiveSession } from '../live/live-session.ts';

export interface Sessions extends AsyncDisposable {
  /** `creation`: a key that creates at most one session in the whole store. */
  create(id: SessionId, setup: SessionSetup, by: Actor, creation?: AppendRequest['creation']): LiveSession;
  acquire(session: SessionId): LiveSession | Promise<Acquired>;
  /**
   * An idle session's state, read before this process claims it; opening follows right after. Undefined if the
   * session is alive here or must be acquired first.
   */
  look(session: SessionId): Promise<State | undefined>;
  /** The session, if it is already alive in this process. */
  live(session: SessionId): LiveSession | undefined;
  /**
   * Takes over sessions whose owner is gone and that have work in flight, a due timer or letters (O9). With a rank,
   * a session is left to the nodes before this one for as many calls.
   */
  adopt(rank?: (session: ClaimableSession) => number): Promise<readonly SessionId[]>;
  /** Writes pending data, ends what runs and releases the session. */
  release(session: SessionId): Promise<void>;
  /**
   * Ends what runs and releases every session. Nothing opens until the returned function is called. For a process
   * that is about to be stopped.
   */
  pause(): Promise<() => void>;
  readonly count: number;
  /** Aborted when this process starts to release everything. */
  readonly closing: AbortSignal;
  /** Refuses new inputs and waits up to the deadline for running turns to end. */
  drain(options: Draining): Promise<void>;
}

export interface SessionsParts {
  readonly store: Store;
  readonly interpreter: Interpreter;
  readonly step: Step;
  readonly clock: Clock;
  /** Ends processes that owners before this epoch left running. */
  readonly killOrphans: (session: SessionId, options: { readonly below: number }) => Promise<void>;
  readonly place?: SessionPlaces;
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  /** Called for every event after its commit. */
  readonly onEvent?: (session: SessionId, recorded: Recorded, state: State) => void;
  readonly hibernateAfterMs: number;
  readonly maxLive: number;
  /** This machine's labels. Absent: this process runs nothing, so it may open every session. */
  readonly offers?: readonly string[];
}
