/** Where the store is, as users write it: `sqlite:PATH`, `postgres://…`, `nats://…` or `memory:`. */
export type StoreAddress =
  | { readonly type: 'memory' }
  | { readonly type: 'sqlite'; readonly path: string }
  /** May contain a password: show it only through `storeName`. */
  | { readonly type: 'postgres'; readonly url: string }
  | { readonly type: 'nats'; readonly url: string };

/** Parses an address, or returns the problem. */
export function parseStoreAddress(text: string): StoreAddress | string {
  if (text === 'memory:' || text === 'memory') return { type: 'memory' };
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length);
    return path === '' ? 'the store sqlite: needs a path, as in sqlite:./rondo.db' : { type: 'sqlite', path };
  }
  const scheme = /^([a-z+]+):\/\//.exec(text)?.[1];
  if (scheme === 'postgres' || scheme === 'postgresql') return { type: 'postgres', url: text };
  if (scheme === 'nats') return { type: 'nats', url: text };
  return `invalid store "${withoutPassword(text)}"; use sqlite:PATH, postgres://…, nats://… or memory:`;
}

/** For people and for comparing stores. */
export function storeName(address: StoreAddress): string {
  switch (address.type) {
    case 'memory':
      return 'memory:';
    case 'sqlite':
      return `sqlite:${address.path}`;
    case 'postgres':
    case 'nats':
      return withoutPassword(address.url);
  }
}

export function withoutPassword(address: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@/?]*):[^@]*@/, '$1:***@')
    .replace(/([?&](?:password|sslpassword)=)[^&]*/gi, '$1***');
}
