/** The nodes of a shared store, over its rows. */
import { invariant } from '../kernel/invariant.ts';
import type { Owner } from '../ports/lease.ts';
import type { NodeEntry, Nodes, RegisteredNode } from '../ports/nodes.ts';
import type { OwnerWatch } from './owner-watch.ts';
import type { ProcessLeases } from './process-leases.ts';
import type { GoneOwner, ProcessRow, RegisterWritten } from './process-row.ts';
import type { StoreClock } from './store-clock.ts';

/** What a store does for nodes. */
export interface NodeRows {
  all(): Promise<readonly NodeRow[]>;
  named(name: string): Promise<NodeRow | undefined>;
  ofOwner(owner: string): Promise<NodeRow | undefined>;
  /** `gone`: the name's previous owner, which the caller found gone. */
  register(name: string, isDraining: boolean, entry: string, gone: GoneOwner | null): Promise<RegisterWritten>;
  drain(name: string): Promise<void>;
}

interface NodeParts {
  readonly self: () => Owner;
  readonly rows: NodeRows;
  readonly wakeUps: { wakeOthers(): void; look(): void; onDrain(listener: () => void): () => void };
  readonly watch: OwnerWatch;
  readonly clock: StoreClock;
  readonly leases: Pick<ProcessLeases, 'regain' | 'started'>;
}

export function createProcessNodes({ self, rows, wakeUps, watch, clock, leases }: NodeParts): Nodes {
  function isAlive(row: NodeRow): boolean {
    return isProcess(row) && (row.owner === self().id ? row.taken === 0 : !watch.isGone(row));
  }

  function toRegisteredNode(row: NodeRow): RegisteredNode {
    const entry = JSON.parse(row.entry) as Omit<NodeEntry, 'isDraining'>;
    return {
      ...entry,
      isDraining: row.draining === 1,
      owner: row.owner,
      host: row.host ?? '',
      pid: row.pid ?? 0,
      isAlive: isAlive(row),
      silentMs: row.expires_at === null ? 0 : Math.max(0, clock.now() - row.expires_at),
      sessions: row.sessions,
    };
  }

  return {
    async register({ isDraining, ...entry }) {
      for (;;) {
        const before = await rows.named(entry.name);
        const isOther = before !== undefined && isProcess(before) && before.owner !== self().id;
        const gone =
          isOther && watch.isGone(before) ? ([before.id, before.beat, watch.isDead(before)] as const) : null;
        const answer = await rows.register(entry.name, isDraining, JSON.stringify(entry), gone);
        if (answer === 'registered') {
          // Others count it from now on, whether it owns something or not.
          leases.started();
          return { type: 'registered' };
        }
        if (answer === 'lost') await leases.regain();
        else if (before !== undefined && gone === null)
          return { type: 'name-taken', by: toRegisteredNode(before) };
        // Its owner changed or renewed its lease in between: check again.
      }
    },
    list: async () => (await rows.all()).map(toRegisteredNode),
    async find(owner) {
      const row = await rows.ofOwner(owner);
      return row === undefined ? undefined : toRegisteredNode(row);
    },
    async drain(name) {
      const row = await rows.named(name);
      if (row === undefined || !isAlive(row)) return undefined;
      await rows.drain(name);
      wakeUps.wakeOthers();
      wakeUps.look();
      return { ...toRegisteredNode(row), isDraining: true };
    },
    onDrain: (listener) => wakeUps.onDrain(listener),
  };
}

/** A node's row with its process's, which is missing once the store forgot the process. */
export type NodeRow = {
  readonly owner: string;
  readonly draining: number;
  readonly entry: string;
  readonly sessions: number;
} & (ProcessRow | Readonly<Record<keyof ProcessRow, null>>);

function isProcess(row: NodeRow): row is NodeRow & ProcessRow {
  invariant(row.id === null || row.id === row.owner, 'nodes: a node is its process');
  return row.id !== null;
}
