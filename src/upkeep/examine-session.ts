/**
 * Checks a stored session: records, events against their schemas, kernel rules along the fold, the snapshot and the
 * directory. Repairs keep what they replace. Readable events that Rondo wouldn't write are reported and left alone,
 * because a newer version may have written them.
 */
import { isDeepStrictEqual } from 'node:util';

import { loadEventCheck } from '../journal/event-schema/check-event.ts';
import type { Store } from '../ports/store.ts';
import type { Shown } from '../ports/upkeep.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { brokenInvariants } from '../kernel/decide/invariants.ts';
import { directoryVersion } from '../views/directory.ts';
import { createSessionFold, type SessionFold } from '../session/read/fold-session.ts';
import { stateVersion } from '../session/read/load-session.ts';
import { claimFor, type RemovalParts } from './remove-session.ts';
import { importedRole } from './imported-session.ts';
import { storedTransitions } from './journal-transitions.ts';

type SessionProblem =
  /** The journal is damaged from this event on. */
  | { readonly type: 'damaged'; readonly seq: number; readonly words: string }
  /** A newer Rondo wrote it. */
  | { readonly type: 'newer'; readonly words: string }
  /** An event that Rondo wouldn't write, or a fold that breaks a rule of SPEC.md. */
  | { readonly type: 'unsound'; readonly seq: number; readonly words: string }
  | { readonly type: 'snapshot'; readonly seq: number; readonly words: string }
  | { readonly type: 'listed'; readonly words: string };

interface ExaminedSession {
  readonly session: SessionId;
  readonly problems: readonly SessionProblem[];
  readonly fold: SessionFold;
}

export async function examineSession(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  session: SessionId,
): Promise<ExaminedSession> {
  const fold = createSessionFold(session);
  const problems: SessionProblem[] = [];
  const only = (problem: SessionProblem): ExaminedSession => ({ session, problems: [problem], fold });
  let isShared = false;
  try {
    const checkEvent = await loadEventCheck();
    const [damage] = await journal.check(session);
    const snapshot = await journal.loadSnapshot(session);
    for await (const events of storedTransitions({ upkeep }, session)) {
      if (damage !== undefined && (events[0]?.seq ?? 0) >= damage.seq) break;
      const wrong = events.map(checkEvent).find((words) => words !== undefined) ?? unfolded(fold, events);
      if (wrong !== undefined) return only({ type: 'unsound', seq: events[0]?.seq ?? 0, words: wrong });
      const { state } = fold;
      const broken = brokenInvariants(state);
      if (broken.length > 0 && problems.length === 0) {
        problems.push({
          type: 'unsound',
          seq: state.seq,
          words: `its state at event ${state.seq} breaks ${broken.join(', ')}`,
        });
      }
      if (
        snapshot?.version === stateVersion &&
        snapshot.seq === state.seq &&
        !isSame(JSON.parse(snapshot.body), state)
      ) {
        problems.push({
          type: 'snapshot',
          seq: state.seq,
          words: `its snapshot at event ${state.seq} differs from the journal`,
        });
      }
      const last = events.at(-1)?.event;
      isShared = importedRole(last) === 'shared';
    }
    if (damage !== undefined) return only({ type: 'damaged', seq: damage.seq, words: damage.reason });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code === 'unreadable') return only({ type: 'newer', words: error.message });
    // A busy or full store says nothing about the session, so nothing is set aside.
    if (error.code !== 'damaged') throw error;
    return only({ type: 'damaged', seq: fold.state.seq + 1, words: error.message });
  }
  if (fold.state.seq > 0 && !isShared) problems.push(...(await listedWrong({ journal, upkeep }, session, fold)));
  return { session, problems, fold };
}

/** Why the events can't be folded, or undefined. */
function unfolded(fold: SessionFold, events: readonly Recorded[]): string | undefined {
  try {
    fold.add(events);
    return undefined;
  } catch (error) {
    return `its records can't be replayed: ${(error as Error).message}`;
  }
}

/** An active session changes both, so only stable values are compared. */
async function listedWrong(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  session: SessionId,
  fold: SessionFold,
): Promise<readonly SessionProblem[]> {
  const listing = await upkeep.shown(session);
  if (isSame(listing, fold.shown())) return [];
  if ((await journal.head(session))?.seq !== fold.state.seq) return [];
  const wrong: readonly SessionProblem[] = [
    { type: 'listed', words: 'its entry in lists and inboxes differs from the journal' },
  ];
  if (listing.entry === undefined) return wrong;
  const written = listing.entry.view ?? 0;
  // A row of an older version is rebuilt. A row of a newer version isn't judged.
  if (written > directoryVersion) return [];
  if (written < directoryVersion) {
    await upkeep.show(session, fold.shown(), { seq: fold.state.seq });
    return [];
  }
  return wrong;
}

/** What was repaired, or undefined if nothing can be. */
export async function mendSession(
  parts: RemovalParts,
  { session, fold }: ExaminedSession,
  problem: SessionProblem,
): Promise<string | undefined> {
  const { journal, upkeep } = parts.store;
  switch (problem.type) {
    case 'newer':
    case 'unsound':
      return undefined;
    case 'listed': {
      const answer = await upkeep.show(session, fold.shown(), { seq: fold.state.seq });
      return answer === 'done' ? 'rebuilt its list entry from the journal' : undefined;
    }
    case 'snapshot':
      await journal.saveSnapshot(session, snapshotOf(fold), { epoch: (await journal.head(session))?.epoch ?? 0 });
      return 'rebuilt its snapshot from the journal';
    case 'damaged': {
      const claim = await claimFor(parts, session);
      if (claim === undefined) return undefined;
      try {
        const seq = (await journal.head(session))?.seq ?? 0;
        const why = { from: problem.seq, reason: problem.words };
        const answer = await upkeep.setAside(session, { epoch: claim.epoch, seq }, why);
        if (answer === 'changed') return undefined;
        await upkeep.show(session, fold.state.seq === 0 ? nothingShown : fold.shown(), {
          seq: fold.state.seq,
        });
        return `events ${problem.seq} to ${seq} were set aside and kept in the store; the session continues from event ${fold.state.seq}`;
      } finally {
        await claim.release();
      }
    }
  }
}

const nothingShown: Shown = { questions: [], due: null, inFlight: false };

function snapshotOf({ state }: SessionFold) {
  return { seq: state.seq, version: stateVersion, body: JSON.stringify(state) };
}

function isSame(stored: unknown, folded: unknown): boolean {
  return isDeepStrictEqual(stored, JSON.parse(JSON.stringify(folded)));
}
