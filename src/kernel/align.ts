/** How the elements of two lists follow each other: kept, or only in the old or the fresh one. */
type Alignment = readonly ('same' | 'removed' | 'added')[];

/** Aligns two lists by a longest common subsequence. Costs the product of their lengths, in time and memory. */
export function align(old: readonly string[], fresh: readonly string[]): Alignment {
  const width = fresh.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  const below = (row: number, column: number) => longest[(row + 1) * width + column] ?? 0;
  const beside = (row: number, column: number) => longest[row * width + column + 1] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === fresh[column]
          ? below(row, column + 1) + 1
          : Math.max(below(row, column), beside(row, column));
    }
  }
  const steps: Alignment[number][] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) {
      steps.push('same');
      row += 1;
      column += 1;
    } else if (below(row, column) >= beside(row, column)) {
      steps.push('removed');
      row += 1;
    } else {
      steps.push('added');
      column += 1;
    }
  }
  const rest = [
    ...old.slice(row).map(() => 'removed' as const),
    ...fresh.slice(column).map(() => 'added' as const),
  ];
  return [...steps, ...rest];
}
