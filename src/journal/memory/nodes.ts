import type { Nodes, RegisteredNode } from '../../ports/nodes.ts';
import { answerAsProcess, type Seat, type Shared } from './shared.ts';

export function createMemoryNodes(shared: Shared, seat: Seat): Nodes {
  const { nodes } = shared;

  const isAlive = ({ status }: Seat) => status === 'alive';

  function nodeNamed(name: string): RegisteredNode | undefined {
    const node = nodes.get(name);
    if (node === undefined) return undefined;
    const { owner } = node.seat;
    return {
      ...node.entry,
      owner: owner.id,
      host: owner.host,
      pid: owner.pid,
      isAlive: isAlive(node.seat),
      silentMs: 0,
      sessions: [...shared.sessions.values()].filter((session) => session.owner?.owner.id === owner.id).length,
    };
  }

  return {
    register: (entry) =>
      answerAsProcess(seat, () => {
        const before = nodes.get(entry.name);
        if (before !== undefined && before.seat !== seat && isAlive(before.seat)) {
          const by = nodeNamed(entry.name);
          if (by !== undefined) return { type: 'name-taken', by };
        }
        for (const [name, node] of nodes) if (node.seat === seat) nodes.delete(name);
        nodes.set(entry.name, { seat, entry });
        return { type: 'registered' };
      }),
    list: () =>
      answerAsProcess(seat, () =>
        [...nodes.keys()].toSorted().flatMap((name) => {
          const node = nodeNamed(name);
          return node === undefined ? [] : [node];
        }),
      ),
    find: (owner) =>
      answerAsProcess(seat, () => {
        const entry = [...nodes].find(([, node]) => node.seat.owner.id === owner);
        return entry === undefined ? undefined : nodeNamed(entry[0]);
      }),
    drain: (name) =>
      answerAsProcess(seat, () => {
        const node = nodes.get(name);
        if (node === undefined || !isAlive(node.seat)) return undefined;
        node.entry = { ...node.entry, isDraining: true };
        node.seat.drains.tell();
        return nodeNamed(name);
      }),
    onDrain: (listener) => {
      // A mark from before anyone listened.
      const isMarked = [...nodes.values()].some((node) => node.seat === seat && node.entry.isDraining);
      if (isMarked) queueMicrotask(listener);
      return seat.drains.add(listener);
    },
  };
}
