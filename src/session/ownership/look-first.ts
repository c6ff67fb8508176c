/**
 * A session at rest is read before it is owned: who looks at one is answered as soon as its state is there, and
 * the claim, which is a commit, follows in the next turn of the loop.
 *
 * 1. Only a session that nobody owns and that has nothing in motion is looked at in this way: any other one is
 *    opened first, for what its last owner left is settled before it is shown.
 * 2. What was read is used for opening only if, once claimed, the journal has not grown.
 */
import type { Journal } from '../../ports/journal.ts';
import type { Leases } from '../../ports/lease.ts';
import { hasEffectsInFlight } from '../../kernel/decide/end-turn.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { loadSession, type LoadedSession } from '../read/load-session.ts';

export interface LookFirst {
  /** Undefined where the session has to be opened first, or is none. */
  look(session: SessionId): Promise<State | undefined>;
  /** What was read of a session, which its journal still ends with. */
  takeRead(session: SessionId): Promise<LoadedSession | undefined>;
  /** It is not to be opened any more. */
  forget(session: SessionId): void;
  stop(): void;
}

export interface LookFirstParts {
  readonly journal: Journal;
  readonly leases: Leases;
  /** Opens one that was looked at; nobody waits for it, and it never rejects. */
  readonly open: (session: SessionId) => Promise<unknown>;
}

export function createLookFirst({ journal, leases, open }: LookFirstParts): LookFirst {
  const read = new Map<SessionId, { readonly loaded: LoadedSession; readonly opening: NodeJS.Immediate }>();

  function forget(session: SessionId): void {
    clearImmediate(read.get(session)?.opening);
    read.delete(session);
  }

  /** It was opened with what had been read, or without. */
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

/** Something of it would have been running, waiting or asked in its last owner's process. */
export function isInMotion(state: State): boolean {
  return hasEffectsInFlight(state) || state.waits.length > 0 || state.questions.length > 0;
}
