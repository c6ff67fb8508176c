/**
 * Names for completion. A search first looks for the query as it is. Only if that finds too few does it look for its
 * letters in order, among names that have all of them; a longer query then examines only the matches of the shorter.
 */
export interface NameIndex {
  add(name: string): void;
  /** The best matches, best first: the exact name, its beginning, a part of it, a part of the path, then letters. */
  search(query: string, limit: number): readonly string[];
  /** How many names the last search compared letter by letter. */
  readonly examined: number;
  readonly size: number;
}

export function createNameIndex(): NameIndex {
  const entries: Entry[] = [];
  let last: { readonly query: string; readonly size: number; readonly matches: readonly Entry[] } | undefined;
  let examined = 0;

  function byLetters(query: string, best: Best): void {
    const wanted = maskOf(query);
    const canNarrow = last !== undefined && last.size === entries.length && query.startsWith(last.query);
    const matches: Entry[] = [];
    for (const entry of canNarrow ? (last?.matches ?? entries) : entries) {
      if ((entry.mask & wanted) !== wanted) continue;
      examined += 1;
      const gaps = gapsIn(entry.lower, query, entry.nameFrom) ?? gapsIn(entry.lower, query, 0);
      if (gaps === undefined) continue;
      matches.push(entry);
      best.offer(entry, 4 + gaps);
    }
    last = { query, size: entries.length, matches };
  }

  return {
    add(name) {
      const lower = name.toLowerCase();
      const nameFrom = lower.lastIndexOf('/', lower.length - 2) + 1;
      entries.push({ name, lower, nameFrom, mask: maskOf(lower) });
    },
    search(given, limit) {
      const query = given.toLowerCase();
      examined = 0;
      const best = createBest(limit);
      for (const entry of entries) {
        const at = entry.lower.indexOf(query);
        if (at !== -1) best.offer(entry, partRank(entry, query));
      }
      if (best.ranked.length < limit) byLetters(query, best);
      return best.ranked.map(({ entry }) => entry.name);
    },
    get examined() {
      return examined;
    },
    get size() {
      return entries.length;
    },
  };
}

interface Entry {
  readonly name: string;
  readonly lower: string;
  /** Where the last part of the path starts. A folder ends with a slash. */
  readonly nameFrom: number;
  /** Its letters, one bit each. */
  readonly mask: number;
}

interface Best {
  readonly ranked: readonly Ranked[];
  offer(entry: Entry, rank: number): void;
}

interface Ranked {
  readonly entry: Entry;
  readonly rank: number;
}

/** A short sorted list, so that no search sorts all matches. */
function createBest(limit: number): Best {
  const ranks: Ranked[] = [];
  return {
    ranked: ranks,
    offer(entry, rank) {
      const worst = ranks.at(-1);
      const offered = { entry, rank };
      if (ranks.length >= limit && worst !== undefined && compare(offered, worst) >= 0) return;
      if (ranks.some((one) => one.entry === entry)) return;
      const at = ranks.findIndex((one) => compare(offered, one) < 0);
      ranks.splice(at === -1 ? ranks.length : at, 0, offered);
      if (ranks.length > limit) ranks.pop();
    },
  };
}

function compare(a: Ranked, b: Ranked): number {
  const byLength = a.entry.name.length - b.entry.name.length;
  return a.rank - b.rank || byLength || (a.entry.name < b.entry.name ? -1 : 1);
}

function partRank({ lower, nameFrom }: Entry, query: string): number {
  if (!lower.startsWith(query, nameFrom)) return lower.includes(query, nameFrom) ? 2 : 3;
  const rest = lower.length - nameFrom - query.length;
  return rest === 0 || (rest === 1 && lower.endsWith('/')) ? 0 : 1;
}

/** One bit per letter; digits share one, and so do other characters. */
function maskOf(text: string): number {
  let mask = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 97 && code <= 122) mask |= 1 << (code - 97);
    else mask |= code >= 48 && code <= 57 ? 1 << 26 : 1 << 27;
  }
  return mask;
}

/** Letters in order: how many jumps don't land on the start of a word. Undefined if a letter is missing. */
function gapsIn(text: string, query: string, from: number): number | undefined {
  let at = from;
  let gaps = 0;
  for (let index = 0; index < query.length; index += 1) {
    const place = text.indexOf(query.charAt(index), at);
    if (place === -1) return undefined;
    const isNext = place === at && index > 0;
    const startsWord = place === 0 || !/[a-z0-9]/.test(text.charAt(place - 1));
    if (!isNext && !startsWord) gaps += 1;
    at = place + 1;
  }
  return gaps;
}
