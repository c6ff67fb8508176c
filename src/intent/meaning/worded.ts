/**
 * A regular expression with a list of words, one of which the text must contain for it to match. It is compiled and
 * run only then: compiling takes longer than all other work on a short sentence.
 */
export interface Worded {
  exec(text: string): RegExpExecArray | null;
  test(text: string): boolean;
}

/** `words` in lower case. Parts of words are enough. */
export function worded(words: readonly string[], expression: RegExp): Worded {
  const isWorthIt = (text: string): boolean => {
    const lower = text.toLowerCase();
    return words.some((word) => lower.includes(word));
  };
  return {
    exec: (text) => (isWorthIt(text) ? expression.exec(text) : null),
    test: (text) => isWorthIt(text) && expression.test(text),
  };
}
