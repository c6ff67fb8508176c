/** `1 file isn't committed`. */
export function uncommitted(count: number): string {
  return count === 1 ? "1 file isn't committed" : `${count} files aren't committed`;
}
