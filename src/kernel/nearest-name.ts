/** The candidate that was probably meant, or undefined if none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    // among equally close candidates, prefer the same length
    const distance = editDistance(wanted, candidate.toLowerCase()) + (candidate.length === name.length ? 0 : 0.5);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Damerau-Levenshtein distance: letters added, removed, changed or swapped with a neighbor. */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The end of a message about an unknown name: the nearest one, or all candidates. */
export function suggestName(name: string, candidates: Iterable<string>): string {
  const names = [...candidates];
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return `; did you mean "${nearest}"?`;
  if (names.length === 0) return '; none is configured.';
  const list = names.slice(0, 12).join(', ');
  return `; known are ${list}${names.length > 12 ? ', …' : ''}.`;
}
