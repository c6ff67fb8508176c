/** `2.10.23` or newer: `isOlder(version, [2, 10, 23])` is false. */
export function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of than.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

/** Older servers check what a replicated message follows only when it arrives, so two that arrive at once are both written. */
const keepsReplicas = [2, 9, 21];

export function canKeepReplicas(version: string): boolean {
  return !isOlder(version, keepsReplicas);
}
