/**
 * Processes on this machine that earlier owners of a store's sessions left running. Each carries its session and
 * the epoch it was started under. Processes that a living owner started under the newest epoch aren't orphans.
 */
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { killMarked } from '../../processes/kill-tree.ts';
import { eachInTurn, markedEpoch, openProcessTable, SESSION_VARIABLE } from '../../processes/process-table.ts';

export interface Orphans {
  readonly session: SessionId;
  /** Epochs below this one no longer have an owner. */
  readonly below: number;
  readonly pids: readonly number[];
}

type Stored = Pick<Store, 'journal' | 'leases' | 'upkeep'>;

export async function findOrphans(store: Stored): Promise<readonly Orphans[]> {
  const marked = await markedProcesses();
  if (marked.size === 0) return [];
  const gone = new Set((await store.upkeep.owners()).filter(({ isGone }) => isGone).map(({ owner }) => owner.id));
  const groups: Orphans[] = [];
  for (const [session, processes] of marked) {
    const head = await store.journal.head(session);
    if (head === undefined) continue;
    const owner = await store.leases.ownerOf(session);
    const isOwned = owner !== undefined && !gone.has(owner.id);
    // A session claimed after this read gets a higher epoch.
    const below = isOwned ? head.epoch : head.epoch + 1;
    const pids = processes.filter(({ epoch }) => epoch < below).map(({ pid }) => pid);
    if (pids.length > 0) groups.push({ session, below, pids });
  }
  return groups;
}

export async function endOrphans(orphans: readonly Orphans[]): Promise<void> {
  await Promise.all(orphans.map(({ session, below }) => killMarked({ session, below })));
}

async function markedProcesses(): Promise<ReadonlyMap<SessionId, readonly MarkedProcess[]>> {
  const table = await openProcessTable();
  const marked = new Map<SessionId, MarkedProcess[]>();
  await eachInTurn(table.list(), ({ pid }) => {
    const session = table.variable(pid, SESSION_VARIABLE) as SessionId | undefined;
    if (session === undefined) return;
    const processes = marked.get(session) ?? [];
    processes.push({ pid, epoch: markedEpoch(table, pid) });
    marked.set(session, processes);
  });
  return marked;
}

interface MarkedProcess {
  readonly pid: number;
  readonly epoch: number;
}
