/** A hand-written session server: node:http, SQLite with one durable commit for all input of one turn of the loop. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { openFloorStore } from '../workload/floor-store.ts';
import type { ServedSide } from './serve-load.ts';

export async function startFloorServer(folder: string): Promise<ServedSide> {
  const store = openFloorStore(path.join(folder, 'floor.db'), 'appended');
  const { database } = store;
  database.exec('CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT, at INTEGER)');
  const insert = database.prepare('INSERT INTO sessions (id, title, at) VALUES (?, ?, ?)');
  const list = database.prepare('SELECT id, title, at FROM sessions ORDER BY number DESC LIMIT ?');
  const heads = new Map<string, number>();
  let work: (() => void)[] = [];
  let waiters: (() => void)[] = [];

  /** Resolves after the commit, which it shares with other input of that turn. */
  function durable(write: () => void): Promise<void> {
    return new Promise((resolve) => {
      work.push(write);
      if (waiters.push(resolve) > 1) return;
      setImmediate(() => {
        const [writes, waiting] = [work, waiters];
        work = [];
        waiters = [];
        store.begin();
        for (const one of writes) one();
        store.commit();
        for (const tell of waiting) tell();
      });
    });
  }

  async function prompt(session: string, text: string): Promise<void> {
    const put = (event: object) => {
      const seq = (heads.get(session) ?? 0) + 1;
      heads.set(session, seq);
      return durable(() => store.append(session, seq, JSON.stringify(event)));
    };
    void put({ type: 'user', text });
    await put({ type: 'model-start' });
    void put({ type: 'assistant', text: 'done' });
    await put({ type: 'turn-end' });
  }

  let made = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const end = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
      if (request.method === 'GET') return end(200, list.all(1000));
      if (request.url === '/sessions') {
        made += 1;
        const id = `ses_${Date.now().toString(36)}${made.toString(36)}`;
        await durable(() => void insert.run(id, 'New session', Date.now()));
        return end(201, { id });
      }
      const [, , session = ''] = request.url?.split('/') ?? [];
      await prompt(session, String((body as { text?: string }).text));
      return end(200, {});
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    headers: {},
    create: { path: '/sessions', body: {} },
    list: '/sessions',
    /** The answer comes with the end of the turn. */
    async prompt(post, session) {
      await post(`/sessions/${session}/prompt`, { text: 'go' });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      store[Symbol.dispose]();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
