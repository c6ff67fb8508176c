/**
 * Positions of rows with different heights, if only visible rows exist: a sum tree over measured and estimated
 * heights, so that finding a position among 100,000 rows costs no more than among ten.
 */
interface RowHeights {
  readonly count: number;
  readonly total: number;
  /** The offset of the row's top edge. */
  offsetOf(row: number): number;
  heightOf(row: number): number;
  /** The row that covers an offset. */
  rowAt(offset: number): number;
  /** Returns by how much the row grew. */
  measure(row: number, height: number): number;
  /** New rows at either end get the estimate. */
  resize(count: number): void;
  insertBefore(count: number): void;
}

export function createRowHeights(guess: number): RowHeights {
  let heights: number[] = [];
  /** Fenwick tree over `heights`. */
  let sums: number[] = [0];

  function rebuild(): void {
    sums = [0, ...heights];
    for (let node = 1; node < sums.length; node += 1) {
      const parent = node + (node & -node);
      if (parent < sums.length) sums[parent] = (sums[parent] ?? 0) + (sums[node] ?? 0);
    }
  }
  function add(row: number, difference: number): void {
    for (let node = row + 1; node < sums.length; node += node & -node) sums[node] = (sums[node] ?? 0) + difference;
  }
  function offsetOf(row: number): number {
    let sum = 0;
    for (let node = Math.min(row, heights.length); node > 0; node -= node & -node) sum += sums[node] ?? 0;
    return sum;
  }
  return {
    get count() {
      return heights.length;
    },
    get total() {
      return offsetOf(heights.length);
    },
    offsetOf,
    heightOf: (row) => heights[row] ?? guess,
    rowAt(offset) {
      let row = 0;
      let left = Math.max(0, offset);
      for (let step = 2 ** Math.floor(Math.log2(Math.max(1, heights.length))); step >= 1; step /= 2) {
        const next = row + step;
        if (next < sums.length && (sums[next] ?? 0) <= left) {
          row = next;
          left -= sums[next] ?? 0;
        }
      }
      return Math.min(row, Math.max(0, heights.length - 1));
    },
    measure(row, height) {
      const before = heights[row];
      if (before === undefined || before === height) return 0;
      heights[row] = height;
      add(row, height - before);
      return height - before;
    },
    resize(count) {
      if (count === heights.length) return;
      if (count < heights.length) {
        heights = heights.slice(0, count);
        return rebuild();
      }
      while (heights.length < count) {
        heights.push(guess);
        const node = heights.length;
        sums[node] = offsetOf(node - 1) - offsetOf(node - (node & -node)) + guess;
      }
    },
    insertBefore(count) {
      heights = [...Array.from({ length: count }, () => guess), ...heights];
      rebuild();
    },
  };
}
