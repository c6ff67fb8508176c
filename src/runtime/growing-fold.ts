/**
 * Folds a list that only grows at its end, and visits each item once. A conversation is such a list: every model call
 * needs its tokens and ids, and a turn must cost the same at any length (P10). A list whose first or newest counted
 * item is another object was rewritten and is folded again.
 */
export function createGrowingFold<Item extends object, Total>(fold: {
  readonly start: () => Total;
  readonly add: (total: Total, item: Item) => Total;
}): (items: readonly Item[]) => Total {
  const kept = new WeakMap<readonly Item[], Counted<Item, Total>>();
  return (items) => {
    const before = kept.get(items);
    const isGrown = before !== undefined && items[0] === before.first && items[before.count - 1] === before.last;
    let total = isGrown ? before.total : fold.start();
    for (let index = isGrown ? before.count : 0; index < items.length; index += 1) {
      const item = items[index];
      if (item !== undefined) total = fold.add(total, item);
    }
    kept.set(items, { count: items.length, first: items[0], last: items.at(-1), total });
    return total;
  };
}

interface Counted<Item, Total> {
  readonly count: number;
  readonly first: Item | undefined;
  readonly last: Item | undefined;
  readonly total: Total;
}
