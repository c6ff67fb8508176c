/**
 * Finds the model's answer in a command's output. Some print it verbatim, some in lines of JSON with a piece in
 * each, some piece by piece and then whole. In all of them its words are in order.
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

/** Found by the first whole word, which the command's own output before it must not contain. */
export function hasPrintedFirstToken(printed: string, answer: string): boolean {
  return printed.includes(wordsOf(answer)[0] ?? '');
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '');
}
