/** What a browser signs to show that it holds its key: bound to the page's origin and to one nonce. */
export function signedText(origin: string, nonce: string): string {
  return `rondo-login\n${origin}\n${nonce}`;
}
