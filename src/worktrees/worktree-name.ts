/**
 * Turns a name into one that a folder and a branch can have: letters and digits of any script, dots, dashes and
 * underscores. Undefined if nothing is left.
 */
export function worktreeName(given: string): string | undefined {
  const name = given
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^[.-]+|[.-]+$/g, '')
    .replace(/\.lock$/i, '')
    .slice(0, 80);
  return name === '' ? undefined : name;
}

const longestSlug = 40;

/** A title as a short name, cut at a word: "Cart total is off" becomes `cart-total-is-off`. */
export function titleSlug(title: string): string | undefined {
  const words = worktreeName(title.toLowerCase().replaceAll(/['’…]/g, ''));
  if (words === undefined || words.length <= longestSlug) return words;
  const end = words.lastIndexOf('-', longestSlug);
  return words.slice(0, end > 0 ? end : longestSlug);
}
