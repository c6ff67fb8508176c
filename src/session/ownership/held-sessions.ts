/**
 * The sessions that this process owns: opening, alive, or closing.
 *
 * 1. A takeover has an order (O4): claim, stop what earlier owners left running, bring the files of a repository,
 *    settle what was in flight, accept input. Nothing reaches the session before the last step.
 * 2. A session is released only once nothing of it runs here (O7). Reopening it waits for that.
 */
import type { Leases, Owner } from '../../ports/lease.ts';
import type { Head, Journal } from '../../ports/journal.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { LiveSession, OpenedSession } from '../live/live-session.ts';
import type { LoadedSession } from '../read/load-session.ts';
import { isInMotion } from './look-first.ts';

/** A session alive here, or one reached in another process: its owner, or a node with the needed labels. Undefined if no session has this id. */
export type Acquired = LiveSession | { readonly owner: Owner | undefined } | undefined;

interface HeldSessions {
  readonly lives: ReadonlyMap<SessionId, LiveSession>;
  /** Includes sessions that are opening or closing. */
  has(session: SessionId): boolean;
  hasRoom(): boolean;
  create(opened: Omit<OpenedSession, 'claim'>): LiveSession;
  acquire(session: SessionId): LiveSession | Promise<Acquired>;
  /** The live session, after waiting for one that is opening. */
  opened(session: SessionId): Promise<LiveSession | undefined>;
  letGo(live: LiveSession): Promise<void>;
  /** Releases the session, even if it is still opening. */
  release(session: SessionId): Promise<void>;
  /** Handles that another process took the session. */
  lost(session: SessionId): Promise<void> | undefined;
  /** Stops opening sessions. */
  close(): void;
  /** See `Sessions.pause`. */
  pause(): Promise<() => void>;
  /** Resolves once every session is released. */
  letGoOfAll(): Promise<void>;
}

/** Sessions whose files come from a repository instead of this machine. */
export interface SessionPlaces {
  /** Brings the files here before anything of the session runs. A failure leaves the session to others. */
  bring(live: LiveSession): Promise<void>;
  /** Saves the files before the session is released. Nothing of it runs any more. */
  leave(live: LiveSession): Promise<void>;
}

interface HeldSessionsParts {
  readonly store: { readonly journal: Journal; readonly leases: Leases };
  readonly load: (session: SessionId) => Promise<LoadedSession | undefined>;
  readonly start: (opened: OpenedSession) => LiveSession;
  readonly interpreter: Pick<Interpreter, 'leave'>;
  readonly killOrphans: (session: SessionId, options: { readonly below: number }) => Promise<void>;
  readonly place?: SessionPlaces;
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
  readonly maxLive: number;
  readonly offers?: readonly string[];
  /** Called when a session is opened or requested. */
  readonly used: (session: SessionId) => void;
  readonly wakes: (session: SessionId) => void;
  readonly leaves: (session: SessionId) => void;
  /** Takes the letters that were sent before the session was opened. */
  readonly serve: (live: LiveSession) => Promise<void>;
}

export function createHeldSessions(parts: HeldSessionsParts): HeldSessions {
  const { journal, leases } = parts.store;
  const lives = new Map<SessionId, LiveSession>();
  const opening = new Map<SessionId, Promise<Acquired>>();
  const leaving = new Map<SessionId, Promise<void>>();
  const lostWhileOpening = new Set<SessionId>();
  let isClosed = false;
  let paused: PromiseWithResolvers<void> | undefined;

  function keep(live: LiveSession): LiveSession {
    lives.set(live.id, live);
    parts.used(live.id);
    return live;
  }

  function checkRoom(): void {
    if (isClosed) throw new Fault('closed', "Rondo is closed in this process; it can't open sessions any more.");
    if (lives.size < parts.maxLive) return;
    throw new Fault(
      'busy',
      `This process is at its limit of ${parts.maxLive} live sessions. Close one or raise maxLive.`,
    );
  }

  async function open(session: SessionId): Promise<Acquired> {
    if (paused !== undefined) await paused.promise;
    checkRoom();
    await leaving.get(session)?.catch(() => undefined);
    lostWhileOpening.delete(session);
    const head = await journal.head(session);
    if (head === undefined) return undefined;
    refuseNewer(session, head);
    const answer = await leases.claim(session, optional({ offers: parts.offers }));
    if (answer.type !== 'claimed') return { owner: answer.owner };
    const { claim } = answer;
    let live: LiveSession | undefined;
    try {
      const loaded = await parts.load(session);
      if (loaded === undefined) {
        await claim.release();
        return undefined;
      }
      if (loaded.damage !== undefined) {
        const { seq, reason } = loaded.damage;
        const fields = { session, seq, reason };
        parts.onProblem(`session ${session} is damaged at event ${seq} and opens up to there`, fields);
      }
      live = parts.start({ ...loaded, claim });
      await takeOver(live);
    } catch (error) {
      await (live === undefined ? claim.release() : endAndRelease(live)).catch(() => undefined);
      if (lostWhileOpening.has(session)) return open(session);
      throw error;
    }
    if (lostWhileOpening.has(session)) {
      // The loss may concern an earlier claim and be noticed late. This one would stay, and nobody would serve it.
      await endAndRelease(live).catch(() => undefined);
      return open(session);
    }
    keep(live);
    // Letters come first, so that the caller sees the session with their outcome.
    await parts.serve(live);
    return live;
  }

  /** Ends what earlier owners left running before settling or restarting any of it. */
  async function takeOver(live: LiveSession): Promise<void> {
    const { claim } = live;
    if (claim.isUnclean) await parts.killOrphans(live.id, { below: claim.epoch });
    if (live.state.place !== undefined) await parts.place?.bring(live);
    if (isInMotion(live.state)) await live.recover();
    else if (claim.isUnclean) await claim.cleaned();
  }

  async function opened(session: SessionId): Promise<LiveSession | undefined> {
    await opening.get(session)?.catch(() => undefined);
    return lives.get(session);
  }

  function letGo(live: LiveSession): Promise<void> {
    const { id } = live;
    lives.delete(id);
    parts.leaves(id);
    const gone = endAndRelease(live).finally(() => {
      if (leaving.get(id) === gone) leaving.delete(id);
    });
    leaving.set(id, gone);
    return gone;
  }

  async function endAndRelease(live: LiveSession): Promise<void> {
    let isUnclean = true;
    try {
      if (live.state.place !== undefined) {
        // Effects that still run may write files.
        await live.endEffects();
        await parts.place?.leave(live);
      }
      const running = await live.stop();
      if (running.length > 0) {
        parts.onProblem(`effects of session ${live.id} can’t be ended`, { session: live.id, running });
      }
      await parts.interpreter.leave(live.id);
      isUnclean = running.length > 0;
    } finally {
      await live.claim.release({ isUnclean });
    }
  }

  return {
    lives,
    has: (session) => lives.has(session) || opening.has(session) || leaving.has(session),
    hasRoom: () => !isClosed && lives.size < parts.maxLive,
    create(opened) {
      checkRoom();
      return keep(parts.start({ ...opened, claim: leases.create(opened.state.id) }));
    },
    acquire(session) {
      const live = lives.get(session);
      if (live !== undefined) {
        parts.used(session);
        return live;
      }
      let pending = opening.get(session);
      if (pending === undefined) {
        parts.wakes(session);
        pending = open(session).finally(() => opening.delete(session));
        opening.set(session, pending);
      }
      return pending;
    },
    opened,
    letGo,
    async release(session) {
      const live = await opened(session);
      parts.leaves(session);
      await (live === undefined ? leaving.get(session) : letGo(live));
    },
    lost(session) {
      const live = lives.get(session);
      if (live !== undefined) return letGo(live);
      if (opening.has(session)) lostWhileOpening.add(session);
      return undefined;
    },
    close() {
      isClosed = true;
      paused?.resolve();
    },
    async pause() {
      const mine = (paused ??= Promise.withResolvers());
      await Promise.allSettled([...lives.values()].map(letGo));
      return () => {
        if (paused === mine) paused = undefined;
        mine.resolve();
      };
    },
    async letGoOfAll() {
      await Promise.allSettled(opening.values());
      await Promise.allSettled([...lives.values()].map(letGo));
      await Promise.allSettled(leaving.values());
    },
  };
}

/** A newer Rondo wrote events that this one can't read (O8). */
function refuseNewer(session: SessionId, { leastReader = 1 }: Head): void {
  if (leastReader <= readerVersion) return;
  throw new Fault(
    'conflict',
    `Session ${session} needs an upgrade: a newer Rondo wrote events of reader version ${leastReader}, and this one ` +
      `reads up to ${readerVersion}. Nothing is damaged: upgrade Rondo on this node, or open the session on another.`,
  );
}
