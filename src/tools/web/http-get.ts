// One guarded HTTP GET.
//
// 1. The connection uses the address that was checked: the check runs inside the connection's own DNS lookup, so a
//    name that changes its address reaches nothing.
// 2. A few redirects on the same host are followed, each checked again. A redirect to another host is reported,
//    because only this host was allowed.
// 3. Time and size are bounded. The size counts after decompression.
import http from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';

import { isPrivateHost } from '../../security/paths/private-address.ts';
import { publicLookup } from '../../security/paths/public-lookup.ts';
import { errorCode, messageOf } from '../define/tool-failure.ts';

interface HttpRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Hosts on this machine or the local network are refused unless this is `allowed`. */
  readonly privateHosts?: 'refused' | 'allowed';
}

export type HttpAnswer =
  | {
      readonly type: 'answered';
      readonly url: string;
      readonly status: number;
      readonly contentType: string;
      readonly body: Buffer;
      readonly truncated: boolean;
    }
  | { readonly type: 'redirected'; readonly to: string }
  | { readonly type: 'cancelled' }
  | {
      readonly type: 'failed';
      readonly code: 'private-address' | 'bad-url' | 'timed-out' | 'too-many-redirects' | 'unreachable';
      readonly message: string;
    };

const MOST_REDIRECTS = 5;

/** Never rejects. */
export async function httpGet(request: HttpRequest): Promise<HttpAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeout]);
  let url = request.url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const target = httpTarget(url, request);
    if (target.type === 'failed') return target;
    const answer = await getOnce(target.url, request, signal);
    if (request.signal.aborted) return { type: 'cancelled' };
    if (timeout.aborted && answer.type === 'failed') {
      return {
        type: 'failed',
        code: 'timed-out',
        message: `${request.url} timed out after ${request.timeoutMs / 1000} s`,
      };
    }
    if (answer.type !== 'redirected') return answer;
    const next = URL.canParse(answer.to, target.url.href) ? new URL(answer.to, target.url) : undefined;
    if (next === undefined)
      return { type: 'failed', code: 'bad-url', message: `redirected to an invalid URL: ${answer.to}` };
    if (!isSameHost(target.url, next)) return { type: 'redirected', to: next.href };
    url = next.href;
  }
  return { type: 'failed', code: 'too-many-redirects', message: `more than ${MOST_REDIRECTS} redirects` };
}

/** Checks a URL before any DNS lookup. */
export function httpTarget(
  text: string,
  options: { readonly privateHosts?: 'refused' | 'allowed' },
): { readonly type: 'target'; readonly url: URL } | Extract<HttpAnswer, { type: 'failed' }> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    return { type: 'failed', code: 'bad-url', message: `${text} isn't an http or https URL` };
  }
  if (url.username !== '' || url.password !== '') {
    return { type: 'failed', code: 'bad-url', message: "URLs with a user name or password aren't allowed" };
  }
  if (options.privateHosts !== 'allowed' && isPrivateHost(url.hostname)) {
    return {
      type: 'failed',
      code: 'private-address',
      message: `${url.hostname} is on this machine or a local network`,
    };
  }
  return { type: 'target', url };
}

function getOnce(url: URL, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const failed = (error: unknown): void => {
      const code = errorCode(error) === 'PRIVATE_ADDRESS' ? 'private-address' : 'unreachable';
      resolve({ type: 'failed', code, message: messageOf(error) });
    };
    const client = url.protocol === 'https:' ? https : http;
    const sent = client.get(
      url,
      {
        headers: {
          'user-agent': 'rondo',
          accept: 'text/html,text/plain,application/json,*/*;q=0.5',
          'accept-encoding': 'gzip, deflate, br',
          ...request.headers,
        },
        signal,
        agent: false,
        ...(request.privateHosts !== 'allowed' && { lookup: publicLookup }),
      },
      (response) => {
        const status = response.statusCode ?? 0;
        const { location } = response.headers;
        if (status >= 300 && status < 400 && location !== undefined) {
          response.destroy();
          resolve({ type: 'redirected', to: location });
          return;
        }
        readBody(response, request.maxBytes).then(
          ({ body, truncated }) =>
            resolve({
              type: 'answered',
              url: url.href,
              status,
              contentType: response.headers['content-type'] ?? '',
              body,
              truncated,
            }),
          failed,
        );
      },
    );
    sent.on('error', failed);
  });
}

async function readBody(
  response: http.IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(response)) {
    const buffer = chunk as Buffer;
    chunks.push(buffer.subarray(0, maxBytes - bytes));
    bytes += buffer.length;
    if (bytes > maxBytes) break;
  }
  response.destroy();
  return { body: Buffer.concat(chunks), truncated: bytes > maxBytes };
}

function unpacked(response: http.IncomingMessage): Readable {
  const through = {
    gzip: zlib.createGunzip,
    'x-gzip': zlib.createGunzip,
    deflate: zlib.createInflate,
    br: zlib.createBrotliDecompress,
  };
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? '';
  const create = Object.hasOwn(through, encoding) ? through[encoding as keyof typeof through] : undefined;
  // The reader of the result sees the error. This callback only prevents an unhandled one.
  return create === undefined ? response : pipeline(response, create(), () => undefined);
}

function isSameHost(from: URL, to: URL): boolean {
  const name = (url: URL): string => url.hostname.replace(/^www\./, '');
  const upgraded = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return name(from) === name(to) && (upgraded || (from.protocol === to.protocol && from.port === to.port));
}
