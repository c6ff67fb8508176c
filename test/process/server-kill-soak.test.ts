// A real server process, killed at random with `kill -9` and started again, while clients lose their lines and some
// read slowly. Afterwards every transcript is the journal, and neither side holds on to anything.
// `npm run soak -- --minutes N` lengthens it; SOAK_SEED repeats a run's choices.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, expect, test } from 'vitest';
import { WebSocket as RawSocket } from 'ws';

import { createClient, type SessionUpdate } from '../../src/client/client.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { ServerMessage } from '../../src/protocol/server-message.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { ownerToken, until } from './server-setup.ts';

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['SOAK_SECONDS'] ?? 60);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const children = new Set<ChildProcess>();
const folders: string[] = [];
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** What one client was told: every event it saw, and where the server said that some are missing. */
interface Told {
  readonly session: SessionId;
  readonly events: Map<number, string>;
  readonly gaps: { readonly from: number; readonly to: number }[];
  readonly problems: string[];
  stop(): void;
  disturb(): void;
}

function note(
  { events, gaps, problems }: Pick<Told, 'events' | 'gaps' | 'problems'>,
  one: ServerMessage | SessionUpdate,
) {
  if (one.type === 'gap') gaps.push({ from: one.from, to: one.to });
  if (one.type !== 'event') return;
  if (events.has(one.seq)) problems.push(`event ${one.seq} came twice`);
  events.set(one.seq, one.event.type);
}

function follow(url: string, session: SessionId): Told {
  const told = { session, events: new Map<number, string>(), gaps: [], problems: [] };
  const sockets: WebSocket[] = [];
  const client = createClient({
    url,
    token: ownerToken,
    firstRetryMs: 20,
    mostRetryMs: 200,
    WebSocket: class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        sockets.push(this);
      }
    },
  });
  client.follow(session, { update: (one) => note(told, one) }, { after: 0 });
  return { ...told, stop: () => client.close(), disturb: () => sockets.at(-1)?.close() };
}

/** Reads nothing for a while, now and then, and comes back from where it was when its line breaks. */
function followSlowly(url: string, session: SessionId): Told {
  const told = { session, events: new Map<number, string>(), gaps: [] as Told['gaps'], problems: [] };
  let isStopped = false;
  let seen = 0;
  let socket: RawSocket;
  function connect(): void {
    socket = new RawSocket(`${url.replace('http', 'ws')}/ws`);
    socket.on('open', () => {
      socket.send(JSON.stringify({ v: 1, type: 'hello', token: ownerToken }));
      socket.send(JSON.stringify({ v: 1, type: 'session.follow', session, after: seen }));
    });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as ServerMessage;
      note(told, message);
      if (message.type === 'event' || message.type === 'snapshot') seen = Math.max(seen, message.seq);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (!isStopped) setTimeout(connect, 50);
    });
  }
  connect();
  return {
    ...told,
    stop() {
      isStopped = true;
      socket.terminate();
    },
    disturb() {
      socket.pause();
      setTimeout(() => socket.resume(), 400);
    },
  };
}

async function startChild(store: string, port: number) {
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'soak-server-child.ts'), store, String(port)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  children.add(child);
  child.on('close', () => children.delete(child));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString('utf8').trim()) };
}

async function handlesOf({ pid }: ChildProcess): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

test(
  '[P1] [P5] [C94] killed again and again, the server loses nothing: every client’s transcript is the journal',
  { timeout: 240_000 + seconds * 4000 },
  async () => {
    const random = createSeededRandom(seed);
    const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-soak-'));
    folders.push(folder);
    const file = path.join(folder, 'store.db');
    const first = await startChild(file, 0);
    const { port } = first;
    let { child } = first;
    const url = `http://127.0.0.1:${port}`;
    const boss = createClient({ url, token: ownerToken, firstRetryMs: 20, mostRetryMs: 200 });
    const headers = { authorization: `Bearer ${ownerToken}` };
    const ask = async (place: string) => {
      const answer = await fetch(`${url}/api/v1${place}`, { headers });
      return (await answer.json()) as Record<string, unknown>;
    };
    const answerAll = async () => {
      const { questions } = await ask('/questions').catch(() => ({ questions: [] }));
      for (const { id } of questions as readonly { readonly id: string }[]) {
        await boss.answer(id, { choice: 'allow-once' }).catch(() => undefined);
      }
    };
    const sessions = await Promise.all(Array.from({ length: 4 }, async () => (await boss.create()).session));
    const readers = sessions.flatMap((session) => [
      ...Array.from({ length: 3 }, () => follow(url, session)),
      followSlowly(url, session),
    ]);
    const sent: Promise<string | undefined>[] = [];
    let kills = 0;
    const deadline = performance.now() + seconds * 1000;
    while (performance.now() < deadline) {
      const choice = random.whole(60);
      if (choice === 0) {
        child.kill('SIGKILL');
        await once(child, 'close');
        ({ child } = await startChild(file, port));
        kills += 1;
        await answerAll();
      } else if (choice < 25) random.pick(readers).disturb();
      else {
        const text = `prompt ${sent.length}`;
        sent.push(
          boss.send(random.pick(sessions), { type: 'chat', text }).then(
            () => text,
            () => undefined,
          ),
        );
      }
      await sleep(random.whole(40));
    }
    const accepted = (await Promise.all(sent)).filter((text) => text !== undefined);
    for (const session of sessions) {
      await until(async () => {
        await answerAll();
        return (await ask(`/sessions/${session}`))['phase'] === 'idle';
      });
    }
    const heads = new Map<SessionId, number>();
    for (const session of sessions) heads.set(session, Number((await ask(`/sessions/${session}`))['seq']));
    const isThere = ({ session, events, gaps }: Told) =>
      events.has(heads.get(session) ?? 0) || gaps.some(({ to }) => to >= (heads.get(session) ?? 0));
    await until(() => readers.every(isThere));
    const crowded = await handlesOf(child);
    for (const reader of readers) reader.stop();
    boss.close();
    // Each of them had a line, and no line is left: what stays is the store, the port and what Node has of its own.
    await until(async () => (await handlesOf(child)) <= crowded - readers.length);
    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);

    await using store = await openSqliteStore({ path: file });
    const prompts: string[] = [];
    for (const { session, events: seen, gaps, problems } of readers) {
      const { events } = await store.journal.read(session, { after: 0 });
      const isTold = (seq: number) => seen.has(seq) || !gaps.some(({ from, to }) => from <= seq && seq <= to);
      const expected = events.filter(({ seq }) => isTold(seq)).map(({ seq, event }) => `${seq} ${event.type}`);
      const shown = [...seen].toSorted(([a], [b]) => a - b).map(([seq, type]) => `${seq} ${type}`);
      expect({ seed, session, problems, shown }).toEqual({ seed, session, problems: [], shown: expected });
    }
    for (const session of sessions) {
      const { events } = await store.journal.read(session, { after: 0 });
      for (const { event } of events) {
        if (event.type === 'prompt-received' && event.request.type === 'chat')
          prompts.push(typeof event.request.text === 'string' ? event.request.text : event.request.text.preview);
      }
    }
    expect({ seed, kills, prompts: prompts.toSorted(byText) }).toEqual({
      seed,
      kills,
      prompts: accepted.toSorted(byText),
    });
  },
);

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
