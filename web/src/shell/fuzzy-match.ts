/** Sorts matches best first: exact words before letters in order. */
export function ranked<Entry>(
  entries: readonly Entry[],
  words: string,
  textOf: (entry: Entry) => string,
): readonly Entry[] {
  const wanted = words.trim().toLowerCase();
  return entries
    .map((entry, index) => ({ entry, index, score: scoreOf(textOf(entry).toLowerCase(), wanted) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .map(({ entry }) => entry);
}

function scoreOf(text: string, wanted: string): number {
  const at = text.indexOf(wanted);
  if (at === 0) return 4;
  if (at > 0) return /[\s/_-]/.test(text.charAt(at - 1)) ? 3 : 2;
  const parts = wanted.split(/\s+/);
  if (parts.length > 1 && parts.every((part) => text.includes(part))) return 1.5;
  let found = 0;
  for (const char of text) if (char === wanted[found]) found += 1;
  return found === wanted.length ? 1 : 0;
}
