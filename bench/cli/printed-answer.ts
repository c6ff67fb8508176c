/**
 * The model's answer in what a command printed. Some print it as it is, some in lines of JSON with a
 * piece in each, some piece by piece and then whole; in all of them its words follow one another.
 */
export function hasPrintedAnswer(printed: string, answer: string): boolean {
  let from = 0;
  for (const word of wordsOf(answer)) {
    const at = printed.indexOf(word, from);
    if (at === -1) return false;
    from = at + word.length;
  }
  return true;
}

/** By the first whole word: what a command prints of itself before it must not hold that. */
export function hasPrintedFirstToken(printed: string, answer: string): boolean {
  return printed.includes(wordsOf(answer)[0] ?? '');
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
