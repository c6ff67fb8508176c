/**
 * Takes a session and its sub-agents out of the store.
 *
 * 1. Nothing with open work goes: no turn, open question, queued prompt, timer, live worker, unanswered
 *    letter; nor one whose journal a fork goes on from. That holds for the whole family, or all of it stays.
 * 2. It is claimed before it is looked at for the last time, and removed only as it was seen then.
 * 3. `keep` is done in between, once, and what throws there keeps everything.
 * 4. What is kept for a session outside the store is forgotten once it is out of it.
 */
import type { Claim } from '../journal/lease.ts';
import type { Store } from '../journal/store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { loadSession } from '../session/read/load-session.ts';
import { openWorkOf } from './open-work.ts';

export interface RemovalParts {
  readonly store: Pick<Store, 'journal' | 'leases' | 'inbox' | 'hosted' | 'upkeep'>;
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
  /** Removes what is kept for a session outside the store: checkpoints of its files. */
  readonly forget?: (gone: { readonly session: SessionId; readonly cwd: string }) => Promise<void>;
}

interface Claimed {
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
  const claimed: Claimed[] = [];
  try {
    for (const one of family) {
      const claim = await claimFor(parts, one);
      if (claim === undefined) return { type: 'kept', session: one, why: 'it is in use' };
      const cwd = parts.forget === undefined ? undefined : (await loadSession(journal, one))?.state.cwd;
      claimed.push({ claim, seq: (await journal.head(one))?.seq ?? 0, cwd });
    }
    const late = await whyFamilyStays(store, family);
    if (late !== undefined) return late;
    await keep();
    const removed: SessionId[] = [];
    // The eldest last: what is left of a removal that was broken off is still found by its family.
    for (const { claim, seq, cwd } of claimed.toReversed()) {
      const { session: one, epoch } = claim;
      if ((await upkeep.remove(one, { epoch, seq }, { family })) === 'changed') {
        return { type: 'kept', session: one, why: 'an input or a fork came in' };
      }
      removed.push(one);
      if (cwd !== undefined) await parts.forget?.({ session: one, cwd });
    }
    return { type: 'removed', sessions: removed };
  } finally {
    await Promise.all(claimed.map(({ claim }) => claim.release()));
  }
}

/** Why none of the family may go, as far as can be told without claiming it. */
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
    if (letters.includes(session)) return { type: 'kept', session, why: 'an input for it was not taken yet' };
    if (held.has(session)) return { type: 'kept', session, why: 'what it started is still being cleaned up' };
    const loaded = await loadSession(journal, session);
    const why = loaded?.damage === undefined ? loaded && openWorkOf(loaded.state) : 'it is damaged';
    if (why !== undefined) return { type: 'kept', session, why };
  }
  return undefined;
}

/** The session and all below it, parents before children. */
export async function familyOf(
  { journal }: Pick<Store, 'journal'>,
  session: SessionId,
): Promise<readonly SessionId[]> {
  const family = [session];
  for (const parent of family) {
    let cursor: string | undefined;
    do {
      const page = await journal.list({ parent, ...(cursor !== undefined && { cursor }) });
      family.push(...page.entries.map((entry) => entry.session).filter((id) => !family.includes(id)));
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return family;
}

const handOverMs = 3000;

/** Its owner may only keep it in case it is asked for: then it is handed over, once it rests. */
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
  await leases.requestHandOver(session, {});
  await promise;
  stop();
  disarm();
  const second = await leases.claim(session);
  return second.type === 'claimed' ? second.claim : undefined;
}
