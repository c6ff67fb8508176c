/**
 * A regular expression with words of which one must stand in the text for it to match. It is run, and so compiled,
 * only where one does: compiling takes longer than everything else that is done with a short sentence.
 */
export interface Worded {
  exec(text: string): RegExpExecArray | null;
  test(text: string): boolean;
}

/** `words` in lower case; parts of words will do. */
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
