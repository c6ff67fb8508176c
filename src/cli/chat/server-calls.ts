import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { Fault } from '../../kernel/fault.ts';

/** Calls to a server's HTTP interface. What it turns down is a `Fault` in its own words. */
export interface ServerCalls {
  get<Answer>(path: string): Promise<Answer>;
  post<Answer>(path: string, body?: unknown): Promise<Answer>;
  /** What a call answers with, into a file. */
  download(path: string, body: unknown, file: string): Promise<void>;
}

export function createServerCalls(url: string, token: string): ServerCalls {
  async function ask(method: string, path: string, body?: unknown): Promise<Response> {
    try {
      return await fetch(`${url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      throw new Fault(
        'network',
        `${method} ${path}: the server at ${url} does not answer. Start it with \`rondo serve\`, or do without it: \`rondo chat --alone\`.`,
        { cause },
      );
    }
  }

  async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await ask(method, path, body);
    const text = await answer.text();
    const value = text === '' ? undefined : (JSON.parse(text) as unknown);
    if (answer.ok) return value as Answer;
    const { detail } = (value ?? {}) as { readonly detail?: string };
    throw new Fault(
      answer.status === 404 ? 'not-found' : 'network',
      detail ?? `${method} ${path}: the server at ${url} answered ${answer.status}; its log says why.`,
    );
  }
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    async download(path, body, file) {
      const answer = await ask('POST', path, body);
      if (!answer.ok || answer.body === null)
        throw new Fault(
          'network',
          `POST ${path}: the server at ${url} answered ${answer.status}; nothing was written.`,
        );
      await pipeline(answer.body, createWriteStream(file, { mode: 0o600 }));
    },
  };
}
