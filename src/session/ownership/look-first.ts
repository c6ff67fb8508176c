/**
 * Reads an idle session before claiming it: a reader gets its answer as soon as the state is loaded, and the claim,
 * which is a commit, follows in the next event-loop turn.
 *
 * 1. Only an unowned session with nothing in motion is read this way. Any other session is opened first, so that
 *    leftovers of its last owner are settled before it is shown.
 * 2. Opening uses the state that was read only if, after the claim, the journal hasn't grown.
 */
import type { Journal } from '../../ports/journal.ts';
import type { Leases } from '../../ports/lease.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { loadSession, type LoadedSession } from '../read/load-session.ts';

interface LookFirst {
  /** Undefined if the session must be opened first or doesn't exist. */
  look(session: SessionId): Promise<State | undefined>;
  /** The state that was read, if the journal hasn't grown since. */
  takeRead(session: SessionId): Promise<LoadedSession | undefined>;
  /** Cancels the opening that was to follow. */
  forget(session: SessionId): void;
  stop(): void;
}

interface LookFirstParts {
  readonly journal: Journal;
  readonly leases: Leases;
  /** Opens a session after it was read. Runs in the background and never rejects. */
  readonly open: (session: SessionId) => Promise<unknown>;
}

export function createLookFirst({ journal, leases, open }: LookFirstParts): LookFirst {
  const read = new Map<SessionId, { readonly loaded: LoadedSession; readonly opening: NodeJS.Immediate }>();

  function forget(session: SessionId): void {
    clearImmediate(read.get(session)?.opening);
    read.delete(session);
  }

  /** Drops the state after opening, whether or not opening used it. */
  function letGo(session: SessionId, loaded: LoadedSession): void {
    if (read.get(session)?.loaded === loaded) read.delete(session);
  }

  return {
    async look(session) {
      if ((await leases.ownerOf(session)) !== undefined) return undefined;
      const loaded = await loadSession(journal, session);
      if (loaded === undefined || loaded.damage !== undefined || isInMotion(loaded.state)) return undefined;
      forget(session);
      const opening = setImmediate(() => void open(session).finally(() => letGo(session, loaded)));
      read.set(session, { loaded, opening });
      return loaded.state;
    },
    async takeRead(session) {
      const loaded = read.get(session)?.loaded;
      forget(session);
      if (loaded === undefined) return undefined;
      return (await journal.head(session))?.seq === loaded.state.seq ? loaded : undefined;
    },
    forget,
    stop() {
      for (const session of read.keys()) forget(session);
    },
  };
}

/** True if something was running, waiting or open for an answer in its last owner's process. */
export function isInMotion(state: State): boolean {
  return hasEffectsInFlight(state) || state.waits.length > 0 || state.questions.length > 0;
}
