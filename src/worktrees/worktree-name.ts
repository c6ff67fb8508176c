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
