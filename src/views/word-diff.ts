/** Which parts of two lines differ, word by word, so that a diff can mark what changed inside a line. */
import { align } from '../kernel/align.ts';

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

interface WordDiff {
  readonly before: readonly TextSpan[];
  readonly after: readonly TextSpan[];
}

/** Longer lines, and lines with little in common, are marked as a whole by their sign alone. */
const mostWords = 200;
const leastShared = 0.3;

export function wordDiff(before: string, after: string): WordDiff {
  const old = wordsOf(before);
  const fresh = wordsOf(after);
  if (old.length > mostWords || fresh.length > mostWords) return { before: [], after: [] };
  const steps = align(old, fresh);
  const isOldKept = steps.filter((step) => step !== 'added').map((step) => step === 'same');
  const isFreshKept = steps.filter((step) => step !== 'removed').map((step) => step === 'same');
  const shared = old.reduce((sum, word, index) => sum + (isOldKept[index] === true ? word.trim().length : 0), 0);
  const least = Math.min(before.trim().length, after.trim().length);
  if (shared < leastShared * least) return { before: [], after: [] };
  return { before: spansOf(old, isOldKept), after: spansOf(fresh, isFreshKept) };
}

function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

/** Neighbouring changed words are one span, also across a blank. */
function spansOf(words: readonly string[], isKept: readonly boolean[]): readonly TextSpan[] {
  const spans: TextSpan[] = [];
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
