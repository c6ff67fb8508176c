// A real server on a disk that takes half a second per commit, and on a full one. The disk is slow and full below
// SQLite, not above it: see `failing-disk-preload.ts`. DISK_ROUNDS lengthens it, DISK_SEED repeats a run's choices.
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { createClient } from '../../src/client/client.ts';
import { openSqliteStore } from '../../src/journal/sqlite/sqlite-store.ts';
import { openDriver } from '../../src/journal/sqlite/driver.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { createFailingDisk } from './failing-disk.ts';
import { recordProof } from './proof-record.ts';
import { eventsOf } from './served-events.ts';
import { answerOpen } from './served-questions.ts';
import { serveRondo, type ServedRondo } from './served-rondo.ts';

const seed = Number(process.env['DISK_SEED'] ?? Date.now() % 1_000_000);
const rounds = Number(process.env['DISK_ROUNDS'] ?? 2);
const commitMs = 500;

interface Place extends AsyncDisposable {
  readonly server: ServedRondo;
  readonly disk: ReturnType<typeof createFailingDisk>;
  readonly file: string;
  newClient(): ReturnType<typeof createClient>;
  sessions(count: number): Promise<readonly SessionId[]>;
}

async function servedOnFailingDisk(): Promise<Place> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-disk-')));
  const disk = stack.use(createFailingDisk(path.join(folder.path, 'disk')));
  const server = stack.use(await serveRondo({ env: disk.env }));
  const all = stack.move();
  const newClient = () => {
    const url = `http://127.0.0.1:${server.port}`;
    return all.use(createClient({ url, token: server.token, firstRetryMs: 20, mostRetryMs: 200 }));
  };
  const sessions = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { id } = await server.post<{ readonly id: SessionId }>('/sessions', { agent: 'testing' });
        return id;
      }),
    );
  const file = path.join(server.home, 'data/rondo.db');
  return { server, disk, file, newClient, sessions, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** The sessions that aren't at rest, and what they do. */
async function movingIn(server: ServedRondo, sessions: readonly SessionId[]): Promise<readonly string[]> {
  const states = await Promise.all(
    sessions.map((id) => server.get<{ readonly phase: string }>(`/sessions/${id}`)),
  );
  return states.filter(({ phase }) => phase !== 'idle').map((state) => JSON.stringify(state));
}

/** Sends requests one by one until stopped, and returns how many were answered. */
function keepAsking(server: ServedRondo): () => Promise<number> {
  let isOver = false;
  let answered = 0;
  const asking = (async () => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${server.port}/healthz`);
      if (answer.ok) answered += 1;
      await sleep(10);
    }
  })();
  return async () => {
    isOver = true;
    const before = answered;
    await asking;
    return before;
  };
}

test(
  '[P1] on a disk that takes half a second for a commit nothing is acknowledged before it is durable, and the server continues answering',
  { timeout: 120_000 + rounds * 10_000 },
  async () => {
    await using place = await servedOnFailingDisk();
    const { server, disk, file } = place;
    const [session, other] = (await place.sessions(2)) as [SessionId, SessionId];
    await using observer = await openSqliteStore({ path: file });
    const client = place.newClient();
    const early: string[] = [];
    const isThere = async (text: string) =>
      JSON.stringify((await observer.journal.read(session, { after: 0 })).events).includes(text);
    client.follow(session, {
      update(update) {
        if (update.type !== 'event') return;
        void observer.journal.head(session).then((head) => {
          if ((head?.seq ?? 0) < update.seq) early.push(`event ${update.seq} was told at ${head?.seq ?? 0}`);
        });
      },
    });
    disk.set({ commitMs });
    // The first in-line commit shows that the disk is slow; from then on the thread waits for it.
    await client.send(session, { type: 'chat', text: 'say slow' });
    await expect.poll(() => movingIn(server, [session]), { timeout: 60_000 }).toEqual([]);
    const answers: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const stop = keepAsking(server);
      const started = performance.now();
      await client.send(session, { type: 'chat', text: `say mark-${round}-` });
      if (!(await isThere(`mark-${round}-`))) early.push(`prompt ${round} was acknowledged and is not there`);
      // Otherwise the disk wasn't slow at all.
      expect(performance.now() - started).toBeGreaterThan(commitMs * 0.9);
      answers.push(await stop());
      await expect.poll(() => movingIn(server, [session]), { timeout: 60_000 }).toEqual([]);
    }
    // A turn's time limit still applies, and time spent on the disk counts.
    await client.send(other, { type: 'limits', limits: { wallTimeMs: 300 } });
    await client.send(other, { type: 'chat', text: 'hang' });
    await expect
      .poll(async () => (await eventsOf(server, other)).at(-1)?.text, { timeout: 60_000 })
      .toContain('reached its limit of 300 ms');
    expect({ early, isClientConnected: client.connection.type }).toEqual({ early: [], isClientConnected: 'open' });
    // During one commit several requests were answered, one after the other.
    expect(Math.min(...answers)).toBeGreaterThan(3);
    disk.set({});
    expect(await server.terminate()).toBe(0);
    recordProof({
      name: 'server on a slow disk',
      runs: 1,
      faults: { [`commit of ${commitMs} ms`]: disk.slowCommits() },
      acknowledged: rounds,
      lost: early.length,
    });
  },
);

test(
  '[P1] [P2] a server killed while the disk takes its time has everything acknowledged and nothing twice',
  { timeout: 120_000 + rounds * 20_000 },
  async () => {
    await using place = await servedOnFailingDisk();
    const { server, disk } = place;
    const random = createSeededRandom(seed);
    const sessions = await place.sessions(3);
    const client = place.newClient();
    const world = path.join(server.home, 'world.log');
    const sent: Promise<string>[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      disk.set({ commitMs });
      for (const session of sessions) {
        const mark = `mark-${sent.length}-`;
        const text = `call shell ${JSON.stringify({ command: `echo ${mark} >> ${world}` })}\nsay ${mark}`;
        sent.push(client.send(session, { type: 'chat', text }).then(() => mark));
      }
      // In the first commit, in one that carries an effect, or between two.
      await sleep(commitMs / 2 + random.whole(commitMs * 4));
      await answerOpen(server);
      await sleep(random.whole(commitMs * 2));
      disk.set({});
      await server.killAndRestart();
    }
    const marks = await Promise.all(sent);
    await expect
      .poll(async () => ({ answered: await answerOpen(server), moving: await movingIn(server, sessions) }), {
        timeout: 90_000,
      })
      .toEqual({ answered: 0, moving: [] });
    const prompts = (await Promise.all(sessions.map((id) => eventsOf(server, id))))
      .flat()
      .flatMap(({ type, text }) => (type === 'prompt-received' ? [text] : []));
    const times = (mark: string) => prompts.filter((text) => text.includes(mark)).length;
    const lost = marks.filter((mark) => times(mark) === 0);
    const doubled = marks.filter((mark) => times(mark) > 1);
    const done = existsSync(world) ? readFileSync(world, 'utf8').split('\n').slice(0, -1) : [];
    const repeated = done.filter((line, index) => done.indexOf(line) !== index);
    expect(disk.slowCommits()).toBeGreaterThan(rounds);
    expect({ seed, lost, doubled, repeated }).toEqual({ seed, lost: [], doubled: [], repeated: [] });
    expect(await server.terminate()).toBe(0);
    recordProof({
      name: 'server killed on a slow disk',
      runs: 1,
      faults: { 'server killed in slow commits': rounds },
      acknowledged: marks.length,
      lost: lost.length,
      repeated: doubled.length + repeated.length,
    });
  },
);

test(
  '[P1] on a full disk inputs are turned down with the reason, what was acknowledged stays, and with room again it continues',
  { timeout: 180_000 },
  async () => {
    await using place = await servedOnFailingDisk();
    const { server, disk, file } = place;
    const sessions = await place.sessions(3);
    const client = place.newClient();
    const long = 'and so on '.repeat(300);
    const acknowledged: string[] = [];
    const refusals: string[] = [];
    const say = (session: SessionId, mark: string) =>
      client.send(session, { type: 'chat', text: `say ${mark} ${long}` }).then(
        () => void acknowledged.push(mark),
        (error: unknown) => void refusals.push((error as Error).message),
      );
    for (const [index, session] of sessions.entries()) await say(session, `before-${index}-`);
    disk.set({ mostPages: pagesOf(file) });
    for (let tried = 0; refusals.length < rounds * 3 && tried < 500; tried += 1)
      await say(sessions[tried % sessions.length] as SessionId, `mark-${tried}-`);
    expect([...new Set(refusals)]).toEqual([
      'The disk of the server is full, so nothing was written. Free some space and retry.',
    ]);
    expect((await fetch(`http://127.0.0.1:${server.port}/healthz`)).status).toBe(200);
    disk.set({});
    const room = acknowledged.length;
    for (const [index, session] of sessions.entries()) await say(session, `after-${index}-`);
    expect(acknowledged.length).toBe(room + sessions.length);
    // A model call that the full disk cut off again and again asks before it costs more.
    const answer = async () => answerOpen(server, undefined, { repeat: 'allow-once' });
    await expect
      .poll(async () => ({ answered: await answer(), moving: await movingIn(server, sessions) }), {
        timeout: 60_000,
      })
      .toEqual({ answered: 0, moving: [] });
    const journals = await Promise.all(sessions.map((id) => eventsOf(server, id)));
    const prompts = journals.flat().flatMap(({ type, text }) => (type === 'prompt-received' ? [text] : []));
    const lost = acknowledged.filter((mark) => prompts.filter((text) => text.includes(mark)).length !== 1);
    const replies = journals.flat().flatMap(({ type, text }) => (type === 'model-settled' ? [text] : []));
    const unanswered = acknowledged.filter((mark) => !replies.some((text) => text.includes(mark)));
    expect({ lost, unanswered }).toEqual({ lost: [], unanswered: [] });
    expect(await server.terminate()).toBe(0);
    recordProof({
      name: 'server on a full disk',
      runs: 1,
      faults: { 'write without room': refusals.length },
      acknowledged: acknowledged.length,
      lost: lost.length,
    });
  },
);

function pagesOf(file: string): number {
  const db = openDriver(file, { busyTimeoutMs: 5000 });
  try {
    return db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
  } finally {
    db.close();
  }
}
