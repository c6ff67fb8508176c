/**
 * Sessions that need an owner (O9). The directory tells whose they were; their logs decide, because an owner may have
 * died before the directory showed its last append.
 */
import type { ClaimableLook, ClaimableSession } from '../../ports/lease.ts';
import { unmet } from '../needed-labels.ts';
import { isForgotten, type ProcessRow } from '../process-row.ts';
import { completeRemoval } from './remove-from-streams.ts';
import { headOf, type LogHead } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';

export async function findClaimable(
  parts: NatsParts,
  { at, limit, offers }: ClaimableLook,
): Promise<readonly ClaimableSession[]> {
  const { directory, processes, letters, writer, watch, self } = parts;
  const [all, rows, pending] = await Promise.all([directory.all(), processes.all(), letters.pending()]);
  const living = new Set(rows.flatMap((row) => (row.id === self().id || !watch.isGone(row) ? [row.id] : [])));
  const withLetters = new Set(pending);
  const isFree = ({ owner }: LogHead) => owner === null || !living.has(owner);
  const sessions: (ClaimableSession & { readonly kind: number; readonly place: number })[] = [];
  const owners = new Set<string>();
  for (const { session, head: shown, entry, isPending } of all.values()) {
    if (shown.owner !== null) owners.add(shown.owner);
    if (shown.removing === true && isFree(shown) && (await completeRemoval(parts, session))) continue;
    const needs = entry?.needs ?? [];
    if (!isFree(shown) || unmet(needs, offers).length > 0) continue;
    const mayHaveWork = shown.owner !== null || shown.leftOpen || shown.due !== null || isPending === true;
    if (!mayHaveWork && !withLetters.has(session)) continue;
    const head = shown.owner === null ? shown : headOf(await writer.newest(session));
    if (head === undefined || !isFree(head)) continue;
    const rank = rankOf(head, at, withLetters.has(session));
    if (rank !== undefined) sessions.push({ session, needs, ...rank });
  }
  await forgetProcesses(rows.filter((row) => !living.has(row.id) && !owners.has(row.id)));
  return sessions
    .toSorted((a, b) => a.kind - b.kind || a.place - b.place || (a.session < b.session ? -1 : 1))
    .slice(0, limit)
    .map(({ session, needs }) => ({ session, needs }));

  /** Forgets dead processes that own nothing. */
  async function forgetProcesses(gone: readonly ProcessRow[]): Promise<void> {
    for (const row of gone) {
      if (watch.isDead(row) || isForgotten(row, at)) await processes.forget(row);
    }
  }
}

function rankOf({ owner, inFlight, leftOpen, due }: LogHead, at: number, hasLetter: boolean) {
  if (owner !== null && inFlight) return { kind: 1, place: 0 };
  if (owner === null && leftOpen) return { kind: 2, place: 0 };
  if (due !== null && due <= at) return { kind: 3, place: due };
  return hasLetter ? { kind: 4, place: 0 } : undefined;
}
