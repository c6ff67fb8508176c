/**
 * Detects whether a session's owner is gone (O5). A process on this boot of this machine is looked up. Any other,
 * and one that is stopped, is gone once its lease count didn't change for a whole lease while we watched.
 */
import type { Owner } from '../ports/lease.ts';
import { isDead as isDeadProcess, isSameMachine } from './process-identity.ts';
import { ownerOf, type ProcessRow } from './process-row.ts';

export interface OwnerWatch {
  /** Call at every check: it remembers what it saw. */
  isGone(row: ProcessRow): boolean;
  /** Certainly dead, so it will never learn that it lost its lease. */
  isDead(row: ProcessRow): boolean;
  /** It exists on this machine: where it is gone, it was stopped past its lease. */
  isStopped(row: ProcessRow): boolean;
}

interface WatchParts {
  /** Default: what this machine's process table says. */
  readonly isDead: ((owner: Owner) => boolean) | undefined;
  readonly self: () => Owner;
  readonly leaseMs: number;
  /** Milliseconds since boot, including sleep. */
  readonly clock: { uptime(): number };
}

export function createOwnerWatch({ self, leaseMs, clock, ...given }: WatchParts): OwnerWatch {
  const isDead = given.isDead ?? ((owner: Owner) => isDeadProcess(owner, self()));
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  let lastLook = -Infinity;

  return {
    isDead: (row) => isDead(ownerOf(row)),
    isStopped: (row) => isSameMachine(ownerOf(row), self()) && !isDead(ownerOf(row)),
    isGone(row) {
      const at = clock.uptime();
      // After such a gap we may have slept together with the owner.
      if (at - lastLook > leaseMs) seen.clear();
      lastLook = at;
      if (row.taken === 1 || isDead(ownerOf(row))) return true;
      const before = seen.get(row.id);
      if (before?.beat === row.beat) return at - before.since >= leaseMs;
      seen.set(row.id, { beat: row.beat, since: at });
      return false;
    },
  };
}
