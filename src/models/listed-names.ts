export interface ListRequest {
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
