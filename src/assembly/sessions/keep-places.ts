/**
 * Saves the files of sessions that work on a repository, and pushes their results.
 *
 * 1. During a turn files are saved a moment after each change that may have touched them, later if they are large, and
 *    every few minutes while a call runs. At its end they are saved at once, and the result is pushed.
 * 2. One piece of work per session at a time. A failure is recorded where people see it and blocks nothing.
 */
import { host } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { InputBody } from '../../kernel/input.ts';
import { turnOf, type State } from '../../kernel/state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Leases } from '../../ports/lease.ts';
import type { Logger } from '../../ports/logger.ts';
import type { GitFailure } from '../../git/git-call.ts';
import type { PushedBranch } from '../../kernel/place.ts';
import type { RepositoryPlaces } from '../../places/repository-places.ts';
import type { LiveSession } from '../../session/live/live-session.ts';
import type { SessionPlaces } from '../../session/ownership/held-sessions.ts';

interface PlaceKeeper extends SessionPlaces {
  saw(session: SessionId, recorded: Recorded, state: State): void;
  /** Resolves once everything that a finished turn left is saved and pushed. */
  settled(session: SessionId): Promise<void>;
}

interface PlaceKeeperParts {
  readonly places: () => Promise<RepositoryPlaces>;
  /** The session, if it is alive in this process. */
  readonly live: (session: SessionId) => LiveSession | undefined;
  readonly leases: Pick<Leases, 'ownerOf' | 'self'>;
  readonly clock: Pick<Clock, 'now' | 'at'>;
  readonly logger: Logger;
}

type Send = (body: InputBody) => Promise<unknown>;

export function createPlaceKeeper({ places, live, leases, clock, logger }: PlaceKeeperParts): PlaceKeeper {
  const timers = new Map<SessionId, { readonly at: number; readonly stop: () => void }>();
  const working = new Map<SessionId, Promise<void>>();
  /** Left to others: what is recorded of them now starts no timer, which would keep this process alive. */
  const left = new Set<SessionId>();

  function stopTimer(session: SessionId): void {
    timers.get(session)?.stop();
    timers.delete(session);
  }

  /** Waits for earlier work, so that saves of one session never overlap. */
  function work(session: SessionId, task: () => Promise<void>): Promise<void> {
    stopTimer(session);
    const before = working.get(session) ?? Promise.resolve();
    const mine = before.then(task).catch((error: unknown) => {
      logger.log('warn', 'the files of a session could not be saved', { session, error: String(error) });
    });
    working.set(session, mine);
    void mine.finally(() => {
      if (working.get(session) === mine) working.delete(session);
    });
    return mine;
  }

  async function save(state: State, send: Send): Promise<void> {
    const saved = await (await places()).save(state);
    if (saved === undefined) return;
    if ('type' in saved) throw new Fault('process', saved.message);
    await send({ type: 'files-saved', saved });
  }

  /** Work that can't be saved may still be pushed. */
  async function finish(session: SessionId, state: State, isDone: boolean): Promise<void> {
    const send = sendTo(session);
    const unsaved = await save(stateOf(session, state), send).catch((error: unknown) => error as Error);
    const outcome = isDone ? await push(stateOf(session, state)) : undefined;
    const problems = [
      ...(outcome !== undefined && 'type' in outcome ? [outcome.message] : []),
      ...(unsaved instanceof Error ? [`Its files aren't saved for other machines: ${unsaved.message}`] : []),
    ];
    if (state.place === undefined || (outcome === undefined && problems.length === 0)) return;
    await send({
      type: 'push-settled',
      ...(outcome === undefined || 'type' in outcome ? { branch: state.place.branch } : outcome),
      ...(problems.length > 0 && { problem: problems.join(' ') }),
    });
  }

  async function push(state: State): Promise<PushedBranch | GitFailure | undefined> {
    const isOwner = async () => (await leases.ownerOf(state.id))?.id === leases.self.id;
    return await (await places()).push(state, isOwner);
  }

  /** Saves after a while, unless that happens earlier already; and so on while the turn lasts. */
  function saveWithin(session: SessionId, state: State, ms: number): void {
    if (left.has(session)) return;
    const at = clock.now() + ms;
    const before = timers.get(session);
    if (before !== undefined && before.at <= at) return;
    before?.stop();
    const isDue = () =>
      void work(session, () => save(stateOf(session, state), sendTo(session))).then(() => {
        const now = live(session)?.state;
        if (now !== undefined && turnOf(now) !== undefined) saveWithin(session, now, saveEveryMs);
      });
    timers.set(session, { at, stop: clock.at(at, isDue) });
  }

  const sendTo =
    (session: SessionId): Send =>
    async (body) =>
      await live(session)?.submit(body, { by: host });
  const stateOf = (session: SessionId, state: State) => live(session)?.state ?? state;

  return {
    saw(session, { event }, state) {
      if (state.place === undefined) return;
      if (event.type === 'turn-ended') {
        const isDone = event.ending.type === 'completed';
        void work(session, () => finish(session, state, isDone));
      } else if (changing.has(event.type)) saveWithin(session, state, afterChange(state));
      else if (turnOf(state) !== undefined) saveWithin(session, state, saveEveryMs);
    },
    async settled(session) {
      await working.get(session);
    },
    async bring(session) {
      left.delete(session.id);
      const moved = await (await places()).bring(session.state, session.claim.epoch);
      if (moved !== undefined) await session.submit({ type: 'place-moved', ...moved }, { by: host });
    },
    async leave(session) {
      left.add(session.id);
      // Nobody used the session, and nothing of it is written.
      if (session.state.seq === 0) return await (await places()).forget(session.id);
      const send: Send = async (body) => await session.submit(body, { by: host });
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = clock.at(clock.now() + leaveWithinMs, resolve);
      await Promise.race([work(session.id, () => save(session.state, send)), promise]);
      stop();
    },
  };
}

const changing: ReadonlySet<Recorded['event']['type']> = new Set([
  'tool-settled',
  'agent-reported',
  'agent-turn-settled',
]);

/** Every save holds all changes since the base, so large ones are further apart. */
function afterChange({ saved }: State): number {
  return Math.min(saveEveryMs, saveAfterMs + (saved?.bundle.length ?? 0) / bytesPerMs);
}

const saveAfterMs = 2_000;
const bytesPerMs = 500;
const saveEveryMs = 5 * 60_000;
const leaveWithinMs = 20_000;
