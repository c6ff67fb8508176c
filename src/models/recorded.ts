/**
 * Records real traffic once and replays it. Passed to a pool as its `fetch`.
 *
 * 1. A recording holds no request headers, and so no keys. Known secrets are removed from bodies too.
 * 2. Replay is strict: each recording answers once, equal requests in order. An unrecorded request is rejected, and
 *    unused recordings are reported.
 */
import { readFile, writeFile } from 'node:fs/promises';

type Fetch = typeof globalThis.fetch;

interface Recording {
  readonly version: 1;
  readonly exchanges: readonly Exchange[];
}

interface Exchange {
  readonly method: string;
  readonly url: string;
  /** Parsed if it is JSON, without fields that differ between sessions. */
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body in its original chunks; `base64` for binary data. */
  readonly chunks: readonly (string | { readonly base64: string })[];
}

interface Recorder {
  readonly fetch: Fetch;
  /** Complete once all replies have been read. */
  recording(): Recording;
  save(file: string): Promise<void>;
}

interface Replay {
  readonly fetch: Fetch;
  /** Requests without a recording, and recordings without a request. */
  problems(): readonly string[];
}

/** Forwards requests and records the replies for `createReplay`. */
export function createRecorder(
  options: { readonly fetch?: Fetch; readonly secrets?: readonly string[] } = {},
): Recorder {
  const { fetch = globalThis.fetch, secrets = [] } = options;
  const exchanges: Exchange[] = [];
  const clean = (text: string) =>
    secrets.reduce((safe, secret) => (secret === '' ? safe : safe.replaceAll(secret, '[redacted]')), text);
  const recording = (): Recording => ({ version: 1, exchanges: [...exchanges] });
  return {
    recording,
    async fetch(input, init) {
      const request = requestOf(input, init, clean);
      const response = await fetch(input, init);
      const chunks: Exchange['chunks'][number][] = [];
      exchanges.push({ ...request, status: response.status, headers: keptHeaders(response.headers), chunks });
      const copy = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          chunks.push(chunkOf(chunk, clean));
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(copy) ?? null, {
        status: response.status,
        headers: response.headers,
      });
    },
    save: (file) => writeFile(file, `${JSON.stringify(recording(), undefined, 2)}\n`),
  };
}

/** Parses a recording and throws if it isn't one. */
export async function readRecording(file: string): Promise<Recording> {
  return JSON.parse(await readFile(file, 'utf8')) as Recording;
}

/** Answers only recorded requests. */
export function createReplay({ exchanges }: Recording): Replay {
  const left = [...exchanges];
  const unexpected: string[] = [];
  return {
    async fetch(input, init) {
      const request = requestOf(input, init, (text) => text);
      const key = keyOf(request);
      const index = left.findIndex((exchange) => keyOf(exchange) === key);
      const [exchange] = index === -1 ? [] : left.splice(index, 1);
      if (exchange === undefined) {
        unexpected.push(`not recorded: ${request.method} ${request.url}`);
        const message = `This request was not recorded: ${request.method} ${request.url}. Record it again.`;
        return Response.json({ type: 'error', error: { type: 'not_recorded', message } }, { status: 400 });
      }
      const bytes = exchange.chunks.map((chunk) =>
        typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'),
      );
      return new Response(ReadableStream.from(bytes), {
        status: exchange.status,
        headers: { ...exchange.headers },
      });
    },
    problems: () => [...unexpected, ...left.map(({ method, url }) => `not asked for: ${method} ${url}`)],
  };
}

/** Fields that identify a session or a user and don't affect the reply. */
const volatile = new Set(['prompt_cache_key', 'user', 'metadata', 'safety_identifier']);
const keptHeader =
  /^(content-type|retry-after|retry-after-ms|request-id|x-request-id|x-ratelimit-.*|anthropic-ratelimit-.*)$/;

function requestOf(input: Parameters<Fetch>[0], init: Parameters<Fetch>[1], clean: (text: string) => string) {
  const url = new URL(input instanceof Request ? input.url : input);
  for (const secret of ['key', 'api_key', 'access_token']) url.searchParams.delete(secret);
  const text = typeof init?.body === 'string' ? clean(init.body) : '';
  return { method: init?.method ?? 'GET', url: clean(url.href), body: stableBody(text) };
}

function stableBody(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => !volatile.has(name)));
  } catch {
    return text;
  }
}

function keyOf({ method, url, body }: Pick<Exchange, 'method' | 'url' | 'body'>): string {
  return `${method} ${url} ${JSON.stringify(body)}`;
}

function keptHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => keptHeader.test(name)));
}

function chunkOf(chunk: Uint8Array, clean: (text: string) => string): Exchange['chunks'][number] {
  const text = Buffer.from(chunk).toString('utf8');
  return Buffer.from(text).equals(chunk) ? clean(text) : { base64: Buffer.from(chunk).toString('base64') };
}
