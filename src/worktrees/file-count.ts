/** `1 file`, `3 files`. */
export function fileCount(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

/** `1 file isn't committed`. */
export function uncommitted(count: number): string {
  return `${fileCount(count)} ${count === 1 ? "isn't" : "aren't"} committed`;
}
