import { Agent, request } from 'node:http';

/** Sends requests to a server over kept-alive connections; rejects unless the response is successful. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<string>;

export function createAsking({
  url,
  headers,
}: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const asking = request(
        `${url}${path}`,
        {
          method,
          agent,
          headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const all = Buffer.concat(chunks).toString('utf8');
            if ((answer.statusCode ?? 500) < 300) resolve(all);
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${all.slice(0, 300)}`));
          });
        },
      );
      asking.on('error', reject);
      asking.end(text);
    });
}
