/**
 * A string-keyed map for views that grow with the journal: a tree over the key's hash, 16 branches per level. A
 * change copies one path and shares the rest. It is plain data, and any text may be a key.
 */
export type PersistentMap<T> =
  | { readonly type: 'leaf'; readonly entries: readonly MapEntry<T>[] }
  | { readonly type: 'branch'; readonly nodes: readonly PersistentMap<T>[] };

interface MapEntry<T> {
  readonly key: string;
  readonly value: T;
}

export function newMap<T>(): PersistentMap<T> {
  return emptyLeaf;
}

export function mapWith<T>(map: PersistentMap<T>, key: string, value: T): PersistentMap<T> {
  return nodeWith(map, { key, value }, hashOf(key), 0);
}

export function mapValue<T>(map: PersistentMap<T>, key: string): T | undefined {
  const hash = hashOf(key);
  let node: PersistentMap<T> | undefined = map;
  for (let level = 0; node?.type === 'branch'; level += 1) node = node.nodes[slotOf(hash, level)];
  return node?.entries.find((entry) => entry.key === key)?.value;
}

export function mapEntries<T>(map: PersistentMap<T>): readonly MapEntry<T>[] {
  return unsortedEntries(map).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const leafSize = 16;
const levels = 8;
const emptyLeaf = { type: 'leaf', entries: [] } as const;

function nodeWith<T>(node: PersistentMap<T>, entry: MapEntry<T>, hash: number, level: number): PersistentMap<T> {
  if (node.type === 'branch') {
    const slot = slotOf(hash, level);
    const nodes = node.nodes.map((child, index) =>
      index === slot ? nodeWith(child, entry, hash, level + 1) : child,
    );
    return { type: 'branch', nodes };
  }
  const place = node.entries.findIndex(({ key }) => key === entry.key);
  const entries = place === -1 ? [...node.entries, entry] : node.entries.with(place, entry);
  if (entries.length <= leafSize || level === levels) return { type: 'leaf', entries };
  const nodes = Array.from({ length: 16 }, (_, slot): PersistentMap<T> => ({
    type: 'leaf',
    entries: entries.filter(({ key }) => slotOf(hashOf(key), level) === slot),
  }));
  return { type: 'branch', nodes };
}

function unsortedEntries<T>(map: PersistentMap<T>): readonly MapEntry<T>[] {
  return map.type === 'leaf' ? map.entries : map.nodes.flatMap(unsortedEntries);
}

function slotOf(hash: number, level: number): number {
  return (hash >>> (4 * level)) % 16;
}

/** FNV-1a. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
