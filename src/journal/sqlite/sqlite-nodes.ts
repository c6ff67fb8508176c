import { invariant } from '../../kernel/invariant.ts';
import type { NodeEntry, Nodes, RegisteredNode } from '../../ports/nodes.ts';
import type { SqliteLeases } from './sqlite-leases.ts';
import type { StoreParts } from './store-parts.ts';
import type { ProcessRow } from './write-lease.ts';
import type { RegisterWritten } from './write-nodes.ts';

export function createSqliteNodes(parts: StoreParts, leases: Pick<SqliteLeases, 'regain'>): Nodes {
  const { read, writer, wakeUps, watch, clock, self } = parts;

  const rows = (where: string, ...given: readonly string[]) =>
    read('Reading the nodes', (db) => db.all<NodeRow>(`${selectNodes} ${where} ORDER BY nodes.name`, ...given));

  function isAlive(row: NodeRow): boolean {
    return isProcess(row) && (row.owner === self().id ? row.taken === 0 : !watch.isGone(row));
  }

  function shown(row: NodeRow): RegisteredNode {
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

  async function named(name: string): Promise<NodeRow | undefined> {
    const [row] = await rows('WHERE nodes.name = ?', name);
    return row;
  }

  return {
    async register({ isDraining, ...entry }) {
      for (;;) {
        const before = await named(entry.name);
        const isOther = before !== undefined && isProcess(before) && before.owner !== self().id;
        const gone =
          isOther && watch.isGone(before) ? ([before.id, before.beat, watch.isDead(before)] as const) : null;
        const answer = (await writer.write([
          'node',
          ['register', entry.name, isDraining, JSON.stringify(entry), gone],
        ])) as RegisterWritten;
        if (answer === 'registered') return { type: 'registered' };
        if (answer === 'lost') await leases.regain();
        else if (before !== undefined && gone === null) return { type: 'name-taken', by: shown(before) };
        // Its owner changed or renewed its lease in between: check again.
      }
    },
    list: async () => (await rows('')).map(shown),
    async find(owner) {
      const [row] = await rows('WHERE nodes.owner = ?', owner);
      return row === undefined ? undefined : shown(row);
    },
    async drain(name) {
      const row = await named(name);
      if (row === undefined || !isAlive(row)) return undefined;
      await writer.write(['node', ['drain', name]]);
      wakeUps.wakeOthers();
      wakeUps.look();
      return { ...shown(row), isDraining: true };
    },
    onDrain: (listener) => wakeUps.onDrain(listener),
  };
}

/** A node's row with its process's, which is missing once the store forgot the process. */
type NodeRow = {
  readonly owner: string;
  readonly draining: number;
  readonly entry: string;
  readonly sessions: number;
} & (ProcessRow | Readonly<Record<keyof ProcessRow, null>>);

function isProcess(row: NodeRow): row is NodeRow & ProcessRow {
  invariant(row.id === null || row.id === row.owner, 'nodes: a node is its process');
  return row.id !== null;
}

const selectNodes = `
  SELECT nodes.owner, nodes.draining, nodes.entry, processes.*,
    (SELECT count(*) FROM sessions WHERE sessions.owner = processes.number) AS sessions
  FROM nodes LEFT JOIN processes ON processes.id = nodes.owner`;
