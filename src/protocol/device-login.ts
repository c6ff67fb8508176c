/** The text that a browser signs to prove possession of its key, bound to the page's origin and one nonce. */
export function signedText(origin: string, nonce: string): string {
  return `rondo-login\n${origin}\n${nonce}`;
}
