/** What a command that we tell people to type needs to find the same store again; quoted for a shell. */
export function storeFlagOf(store: string | undefined): string {
  if (store === undefined) return '';
  return ` --store ${/^[\w@%+=:,./-]+$/.test(store) ? store : `'${store.replaceAll("'", "'\\''")}'`}`;
}
