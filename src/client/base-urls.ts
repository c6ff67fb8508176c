/** The addresses of one fleet: all nodes accept the same token, so any of them will do. */
export interface BaseUrls {
  /** The address in use. */
  readonly current: string;
  /** All of them, the one in use first. */
  readonly inOrder: readonly string[];
  /** The address didn't answer: use the one after it. */
  leave(url: string): void;
}

export function createBaseUrls(given: string | readonly string[]): BaseUrls {
  const urls = (typeof given === 'string' ? [given] : given).map((url) => url.replace(/\/+$/, ''));
  if (urls.length === 0) throw new RangeError('A client needs the address of a server.');
  let at = 0;
  return {
    get current() {
      return urls[at] ?? '';
    },
    get inOrder() {
      return [...urls.slice(at), ...urls.slice(0, at)];
    },
    leave(url) {
      if (url === urls[at]) at = (at + 1) % urls.length;
    },
  };
}
