/**
 * True if two path patterns could match the same path: `*` and `?` within a part, `**` across parts. The time is
 * proportional to the product of their lengths.
 */
export function globsOverlap(one: string, other: string): boolean {
  if (beginDifferently(one, other)) return false;
  const a = tokensOf(one);
  const b = tokensOf(other);
  const width = b.length + 1;
  const seen = new Set<number>();
  const pending: (readonly [number, number])[] = [[0, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [i, j] = next;
    const place = i * width + j;
    if (seen.has(place)) continue;
    seen.add(place);
    if (i === a.length && j === b.length) return true;
    const left = a[i];
    const right = b[j];
    // A wildcard may match nothing.
    if (left !== undefined && left.repeats) pending.push([i + 1, j]);
    if (right !== undefined && right.repeats) pending.push([i, j + 1]);
    if (left === undefined || right === undefined || !share(left, right)) continue;
    for (const after of left.repeats ? [i, i + 1] : [i + 1]) {
      for (const also of right.repeats ? [j, j + 1] : [j + 1]) pending.push([after, also]);
    }
  }
  return false;
}

/** Most pairs differ before the first wildcard, so they need no search. */
function beginDifferently(one: string, other: string): boolean {
  for (let index = 0; index < one.length && index < other.length; index += 1) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)];
    if (a === STAR || a === ONE || b === STAR || b === ONE) return false;
    if (a !== b) return true;
  }
  return false;
}

const STAR = 42;
const ONE = 63;

interface Token {
  /** The character to match. If absent: any character, or any except a slash. */
  readonly char?: string;
  readonly deep: boolean;
  readonly repeats: boolean;
}

function tokensOf(pattern: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [piece] of pattern.matchAll(/\*+|[^*]/gsu)) {
    if (piece.startsWith('*')) tokens.push({ deep: piece.length > 1, repeats: true });
    else if (piece === '?') tokens.push({ deep: false, repeats: false });
    else tokens.push({ char: piece, deep: false, repeats: false });
  }
  return tokens;
}

function share(one: Token, other: Token): boolean {
  if (one.char !== undefined && other.char !== undefined) return one.char === other.char;
  const fixed = one.char ?? other.char;
  const open = one.char === undefined ? one : other;
  return fixed === undefined || open.deep || fixed !== '/';
}
