import net from 'node:net';

interface ListRequest {
  /** The field of the response with the list, and the field of an entry with its name. */
  readonly list: string;
  readonly key: string;
  readonly fetch: typeof globalThis.fetch;
  readonly probeMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Model names from a server's list. A missing server means an empty list, not an error. */
export async function listedNames(
  url: string,
  { list, key, fetch, probeMs, headers }: ListRequest,
): Promise<readonly string[]> {
  try {
    if (fetch === globalThis.fetch && !(await mayAnswer(new URL(url), probeMs))) return [];
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(probeMs) });
    if (!response.ok) {
      await response.body?.cancel();
      return [];
    }
    const body = (await response.json()) as Readonly<Record<string, unknown>> | null;
    const entries: unknown = body?.[list];
    if (!Array.isArray(entries)) return [];
    return entries
      .map((entry: Readonly<Record<string, unknown>> | null) => entry?.[key])
      .filter((name) => typeof name === 'string');
  } catch {
    return [];
  }
}

/** False if nothing listens at a port of this machine: most have no model server, and `fetch` is slow to load. */
async function mayAnswer({ hostname, port, protocol }: URL, withinMs: number): Promise<boolean> {
  if (protocol !== 'http:' || !/^(?:localhost|127\.[\d.]+)$/.test(hostname)) return true;
  const socket = net.connect({ host: hostname, port: Number(port || 80), timeout: withinMs });
  const answer = Promise.withResolvers<boolean>();
  socket.once('connect', () => answer.resolve(true));
  for (const event of ['error', 'timeout']) socket.once(event, () => answer.resolve(false));
  try {
    return await answer.promise;
  } finally {
    socket.destroy();
  }
}
