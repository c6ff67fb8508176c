/** What a person reads about a request without an answer. Browsers word a lost connection for programmers. */
export function unreachableText(error: unknown): string {
  return error instanceof TypeError ? "Can't reach the server." : `Can't reach the server: ${String(error)}`;
}
