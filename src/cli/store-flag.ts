/** The flag that suggested commands need to find the same store, quoted for a shell. */
export function storeFlagOf(store: string | undefined): string {
  if (store === undefined) return '';
  return ` --store ${/^[\w@%+=:,./-]+$/.test(store) ? store : `'${store.replaceAll("'", "'\\''")}'`}`;
}
