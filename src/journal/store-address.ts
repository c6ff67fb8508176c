/** Where the store is, as users write it: `sqlite:PATH` or `memory:`. */
export type StoreAddress = { readonly type: 'memory' } | { readonly type: 'sqlite'; readonly path: string };

/** Parses an address, or returns the problem. */
export function parseStoreAddress(text: string): StoreAddress | string {
  if (text === 'memory:' || text === 'memory') return { type: 'memory' };
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length);
    return path === '' ? 'the store sqlite: needs a path, as in sqlite:./rondo.db' : { type: 'sqlite', path };
  }
  const scheme = /^([a-z+]+):\/\//.exec(text)?.[1];
  if (scheme === 'postgres' || scheme === 'postgresql' || scheme === 'nats') {
    return `stores at ${scheme}:// are planned and not there yet; use sqlite:PATH`;
  }
  return `invalid store "${text}"; use sqlite:PATH or memory:`;
}
