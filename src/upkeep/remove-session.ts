/**
 * Removes a session and its sub-agents from the store.
 *
 * 1. A session stays if it has a turn, an open question, a queued prompt, a timer, a live worker or an unanswered
 *    letter, or if a fork depends on its journal. If one member of a family stays, all of it stays.
 * 2. Rondo claims the session before the final check and removes it only in that state.
 * 3. `keep` runs once in between. If it throws, everything stays.
 * 4. Data outside the store is removed afterwards.
 */
import type { Claim } from '../ports/lease.ts';
import type { Store } from '../ports/store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { loadSession } from '../session/read/load-session.ts';
import { openWorkOf } from './open-work.ts';

export interface RemovalParts {
  readonly store: Pick<Store, 'journal' | 'leases' | 'inbox' | 'hosted' | 'upkeep'>;
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
  /** Removes a session's data outside the store: its file checkpoints. */
  readonly forget?: (gone: { readonly session: SessionId; readonly cwd: string }) => Promise<void>;
}

interface Going {
  readonly claim: Claim;
  readonly seq: number;
  readonly cwd: string | undefined;
}

export type Removal =
  | { readonly type: 'removed'; readonly sessions: readonly SessionId[] }
  | { readonly type: 'kept'; readonly session: SessionId; readonly why: string };

export async function removeSession(
  parts: RemovalParts,
  session: SessionId,
  keep: () => Promise<void> = async () => undefined,
): Promise<Removal> {
  const { store } = parts;
  const { journal, upkeep } = store;
  const family = await familyOf(store, session);
  const why = await whyFamilyStays(store, family);
  if (why !== undefined) return why;
  const claims: Claim[] = [];
  try {
    const going: Going[] = [];
    for (const one of family) {
      const claim = await claimFor(parts, one);
      if (claim === undefined) return { type: 'kept', session: one, why: 'it is in use' };
      claims.push(claim);
      const cwd = parts.forget === undefined ? undefined : (await loadSession(journal, one))?.state.cwd;
      going.push({ claim, seq: (await journal.head(one))?.seq ?? 0, cwd });
    }
    const late = await whyFamilyStays(store, family);
    if (late !== undefined) return late;
    await keep();
    const removed: SessionId[] = [];
    // The eldest last, so that the family still leads to what an interrupted removal left.
    for (const { claim, seq, cwd } of going.toReversed()) {
      const { session: one, epoch } = claim;
      if ((await upkeep.remove(one, { epoch, seq }, { family })) === 'changed') {
        return { type: 'kept', session: one, why: 'an input or a fork arrived' };
      }
      removed.push(one);
      if (cwd !== undefined) await parts.forget?.({ session: one, cwd });
    }
    return { type: 'removed', sessions: removed };
  } finally {
    await Promise.all(claims.map((claim) => claim.release()));
  }
}

/** Why none of the family may go, as far as can be seen without claiming it. */
export async function whyFamilyStays(
  { journal, inbox, hosted, upkeep }: RemovalParts['store'],
  family: readonly SessionId[],
): Promise<Extract<Removal, { type: 'kept' }> | undefined> {
  const forks = await upkeep.forks();
  const letters = await inbox.pending();
  const held = new Set((await hosted.load()).map((row) => row.session));
  for (const session of family) {
    const fork = forks.find((one) => !family.includes(one.session) && one.refersTo.includes(session));
    if (fork !== undefined) return { type: 'kept', session, why: `${fork.session} was forked from it` };
    if (letters.includes(session)) return { type: 'kept', session, why: 'an input is pending' };
    if (held.has(session)) return { type: 'kept', session, why: 'its processes are still being cleaned up' };
    const loaded = await loadSession(journal, session);
    const why = loaded?.damage === undefined ? loaded && openWorkOf(loaded.state) : 'it is damaged';
    if (why !== undefined) return { type: 'kept', session, why };
  }
  return undefined;
}

/** The session and all its descendants, parents before children. */
export async function familyOf(
  { journal }: Pick<Store, 'journal'>,
  session: SessionId,
): Promise<readonly SessionId[]> {
  const family = [session];
  for (const parent of family) {
    let cursor: string | undefined;
    do {
      const page = await journal.list({ parent, ...optional({ cursor }) });
      family.push(...page.entries.map((entry) => entry.session).filter((id) => !family.includes(id)));
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return family;
}

const handOverMs = 3000;

/** An owner that only keeps the session open hands it over once it is idle. */
export async function claimFor(
  { store: { leases }, clock }: RemovalParts,
  session: SessionId,
): Promise<Claim | undefined> {
  const first = await leases.claim(session);
  if (first.type === 'claimed') return first.claim;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = leases.onReleased((released) => {
    if (released === session) resolve();
  });
  const disarm = clock.at(clock.now() + handOverMs, resolve);
  try {
    await leases.requestHandOver(session, {});
    await promise;
  } finally {
    stop();
    disarm();
  }
  const second = await leases.claim(session);
  return second.type === 'claimed' ? second.claim : undefined;
}
