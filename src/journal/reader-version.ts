/**
 * Versions of Rondo on one store (`fleet.md`, mixed versions).
 *
 * 1. `readerVersion` rises with every release that writes something its predecessor can't read: an event kind, a
 *    record version or a kind of letter.
 * 2. A session's head carries the least reader version of its events. A node with an older one doesn't open it.
 * 3. A new kind stays off until every living node reads it: check `fleetReader` before writing the first one. Then
 *    going back by one release works.
 */
import type { Event } from '../kernel/event.ts';
import type { RegisteredNode } from '../ports/nodes.ts';

export const readerVersion = 2;

/** Event kinds that came after reader version 1, with the version that first read them. */
const leastReaders: LeastReaders = { 'files-saved': 2, 'place-moved': 2, 'push-settled': 2 };

type LeastReaders = Readonly<Partial<Record<Event['type'], number>>>;

/** The oldest reader version that can read these events. */
export function leastReaderOf(
  events: readonly { readonly event: Pick<Event, 'type'> }[],
  versionOf: LeastReaders = leastReaders,
): number {
  return events.reduce((least, { event }) => Math.max(least, versionOf[event.type] ?? 1), 1);
}

/** The newest reader version that every living node has. Without nodes, this process's. */
export function fleetReader(nodes: readonly Pick<RegisteredNode, 'isAlive' | 'reader'>[]): number {
  return nodes.reduce((least, { isAlive, reader }) => (isAlive ? Math.min(least, reader) : least), readerVersion);
}
