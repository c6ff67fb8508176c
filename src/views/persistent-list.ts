/**
 * A list for views that grow with the journal: a tree of nodes with 32 entries each. Appending or replacing an item
 * copies one node per level (three at 20,000 items) and shares all others with the original list, which doesn't
 * change. It is plain data, and its shape depends only on its length.
 */
export interface PersistentList<T> {
  readonly length: number;
  /** Levels of branches above the leaves. */
  readonly height: number;
  readonly root: ListNode<T>;
}

type ListNode<T> =
  | { readonly type: 'leaf'; readonly items: readonly T[] }
  | { readonly type: 'branch'; readonly nodes: readonly ListNode<T>[] };

export function newList<T>(): PersistentList<T> {
  return { length: 0, height: 0, root: emptyLeaf };
}

export function listAppended<T>(list: PersistentList<T>, item: T): PersistentList<T> {
  const { length, height, root } = list;
  const isFull = length === width ** (height + 1);
  const grown: ListNode<T> = isFull ? { type: 'branch', nodes: [root] } : root;
  const levels = isFull ? height + 1 : height;
  return { length: length + 1, height: levels, root: nodeWith(grown, levels, length, item) };
}

/** Changes the item at an index. An index out of range changes nothing. */
export function listChanged<T>(list: PersistentList<T>, place: number, change: (item: T) => T): PersistentList<T> {
  const item = itemAt(list, place);
  if (item === undefined) return list;
  return { ...list, root: nodeWith(list.root, list.height, place, change(item)) };
}

export function itemAt<T>(list: PersistentList<T>, place: number): T | undefined {
  if (place < 0 || place >= list.length) return undefined;
  let node: ListNode<T> | undefined = list.root;
  for (let level = list.height; node?.type === 'branch'; level -= 1) node = node.nodes[slotOf(place, level)];
  return node?.items[slotOf(place, 0)];
}

/** Items from one index up to, not including, another. */
export function itemsBetween<T>(list: PersistentList<T>, from: number, to: number): readonly T[] {
  const items: T[] = [];
  for (let place = Math.max(0, from); place < Math.min(to, list.length); place += 1) {
    const item = itemAt(list, place);
    if (item !== undefined) items.push(item);
  }
  return items;
}

/** The number of leading items that pass a test, in a list where no later item passes. */
export function countWhile<T>(list: PersistentList<T>, holds: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = itemAt(list, middle);
    if (item !== undefined && holds(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

const bits = 5;
const width = 2 ** bits;
const emptyLeaf = { type: 'leaf', items: [] } as const;

function slotOf(place: number, level: number): number {
  return (place >>> (bits * level)) % width;
}

function nodeWith<T>(node: ListNode<T> | undefined, level: number, place: number, item: T): ListNode<T> {
  const slot = slotOf(place, level);
  if (level === 0) return { type: 'leaf', items: replaced(node?.type === 'leaf' ? node.items : [], slot, item) };
  const nodes = node?.type === 'branch' ? node.nodes : [];
  return { type: 'branch', nodes: replaced(nodes, slot, nodeWith(nodes[slot], level - 1, place, item)) };
}

function replaced<T>(entries: readonly T[], slot: number, entry: T): readonly T[] {
  const copy = entries.slice();
  copy[slot] = entry;
  return copy;
}
