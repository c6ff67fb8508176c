/** Which parts of two lines differ, word by word, so that a diff can mark what changed inside a line. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface WordDiff {
  readonly before: readonly Span[];
  readonly after: readonly Span[];
}

/** Longer lines, and lines with little in common, are marked as a whole by their sign alone. */
const mostWords = 200;
const leastShared = 0.3;

export function wordDiff(before: string, after: string): WordDiff {
  const old = wordsOf(before);
  const fresh = wordsOf(after);
  if (old.length > mostWords || fresh.length > mostWords) return { before: [], after: [] };
  const width = fresh.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === fresh[column]
          ? (longest[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(longest[(row + 1) * width + column] ?? 0, longest[row * width + column + 1] ?? 0);
    }
  }
  const isOldKept = old.map(() => false);
  const isFreshKept = fresh.map(() => false);
  let shared = 0;
  for (let row = 0, column = 0; row < old.length && column < fresh.length;) {
    const word = old[row] ?? '';
    if (word === fresh[column]) {
      isOldKept[row] = true;
      isFreshKept[column] = true;
      shared += word.trim().length;
      row += 1;
      column += 1;
    } else if ((longest[(row + 1) * width + column] ?? 0) >= (longest[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  const least = Math.min(before.trim().length, after.trim().length);
  if (shared < leastShared * least) return { before: [], after: [] };
  return { before: spansOf(old, isOldKept), after: spansOf(fresh, isFreshKept) };
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

/** Neighbouring changed words are one span, also across a blank. */
function spansOf(words: readonly string[], isKept: readonly boolean[]): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const [index, word] of words.entries()) {
    const last = spans.at(-1);
    const isChanged = isKept[index] === false;
    const joinsBlank =
      !isChanged && word.trim() === '' && isKept[index - 1] === false && isKept[index + 1] === false;
    if (isChanged || joinsBlank) {
      if (last !== undefined && last.to === at)
        spans[spans.length - 1] = { from: last.from, to: at + word.length };
      else spans.push({ from: at, to: at + word.length });
    }
    at += word.length;
  }
  return spans.filter(({ from, to }) => words.join('').slice(from, to).trim() !== '');
}
