// Many clients on a server that is stopped and restarted, over unreliable connections. Afterwards every client's
// transcript equals the journal. SOAK_SEED repeats a run's choices, SOAK_SECONDS lengthens it.
import { expect, test } from 'vitest';

import { createClient, type Client, type SessionUpdate } from '../../src/client/client.ts';
import { createMemoryStore } from '../../src/journal/memory-store.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { Model } from '../../src/ports/model.ts';
import { completedReply } from '../../src/testing/completed-reply.ts';
import { createSeededRandom } from '../../src/testing/simulation-random.ts';
import { recordProof } from '../proof/proof-record.ts';
import { ownerToken, startTestServer, until, type TestServer } from './server-setup.ts';

const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
const seconds = Number(process.env['SOAK_SECONDS'] ?? 5);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Follower {
  readonly client: Client;
  readonly session: SessionId;
  readonly seen: string[];
  readonly problems: string[];
  cut(): void;
  stop(): void;
}

test(
  '[P1] [P5] [C94] after restarts and cuts every client’s transcript is the journal',
  { timeout: 60_000 + seconds * 3000 },
  async () => {
    const random = createSeededRandom(seed);
    const store = createMemoryStore();
    const shared = { ...store, [Symbol.asyncDispose]: () => Promise.resolve() };
    const options = {
      rondo: { store: shared, models: { testing: chatterbox() } },
      server: { limits: { bufferedBytes: 16 * 1024 } },
    };
    let server = await startTestServer(options);
    const { port, url } = server.server;
    const boss = createClient({ url, token: ownerToken, firstRetryMs: 10, mostRetryMs: 50 });
    const sessions = await Promise.all(Array.from({ length: 4 }, async () => (await boss.create()).session));
    const followers = sessions.flatMap((session) => Array.from({ length: 5 }, () => follow(url, session)));
    const sent: Promise<boolean>[] = [];
    const deadline = performance.now() + seconds * 1000;
    let restarts = 0;
    let cuts = 0;
    while (performance.now() < deadline || restarts === 0 || cuts === 0) {
      const choice = random.whole(20);
      if (choice === 0) {
        await server[Symbol.asyncDispose]();
        await sleep(random.whole(30));
        server = await startTestServer({ ...options, server: { ...options.server, port } });
        await server.rondo.adopt();
        restarts += 1;
        await answerAll(server, boss);
      } else if (choice < 10) {
        random.pick(followers).cut();
        cuts += 1;
      } else
        sent.push(
          boss
            .send(random.pick(sessions), { type: 'chat', text: `prompt ${sent.length}` })
            .then(isDone, isRefused),
        );
      await sleep(random.whole(20));
    }
    const accepted = (await Promise.all(sent)).filter(Boolean).length;
    for (const session of sessions) {
      const handle = await server.rondo.sessions.open(session);
      await until(async () => {
        await answerAll(server, boss);
        return (await handle.status()).lifecycle === 'idle';
      });
    }
    const prompts = new Map<string, number>();
    for (const { session, seen, problems } of followers) {
      const { events, last } = await store.journal.read(session, { after: 0 });
      await until(() => seen.at(-1)?.startsWith(`${last} `) === true);
      expect({ seed, session, problems, seen }).toEqual({
        seed,
        session,
        problems: [],
        seen: events.map((recorded) => `${recorded.seq} ${recorded.event.type}`),
      });
      prompts.set(session, events.filter(({ event }) => event.type === 'prompt-received').length);
    }
    // Acknowledged once, recorded once.
    const recorded = [...prompts.values()].reduce((sum, count) => sum + count, 0);
    expect({ seed, restarts, recorded }).toEqual({ seed, restarts, recorded: accepted });
    recordProof({
      name: 'clients through restarts and cuts',
      runs: 1,
      faults: { 'server stopped': restarts, 'line cut': cuts },
      acknowledged: accepted,
      compared: followers.length,
    });
    for (const follower of followers) follower.stop();
    boss.close();
    await server[Symbol.asyncDispose]();
  },
);

const isDone = () => true;
const isRefused = () => false;

/** A model call that was interrupted three times isn't repeated without a person's answer. */
async function answerAll({ rondo }: TestServer, boss: Client): Promise<void> {
  for (const { id } of await rondo.questions()) {
    await boss.answer(id, { choice: 'allow-once' }).catch(isRefused);
  }
}

function follow(url: string, session: SessionId): Follower {
  const sockets: WebSocket[] = [];
  const seen: string[] = [];
  const problems: string[] = [];
  const texts = new Map<string, number>();
  const client = createClient({
    url,
    token: ownerToken,
    firstRetryMs: 5,
    mostRetryMs: 50,
    WebSocket: class extends WebSocket {
      constructor(...given: ConstructorParameters<typeof WebSocket>) {
        super(...given);
        sockets.push(this);
      }
    },
  });
  const update = (one: SessionUpdate) => {
    if (one.type === 'event') seen.push(`${one.seq} ${one.event.type}`);
    else if (one.type === 'progress') {
      const key = `${one.effect}#${one.attempt}`;
      // A client that joins after the first word receives the text from its start.
      if (one.offset !== (texts.get(key) ?? 0))
        problems.push(`${key} at ${one.offset}, had ${texts.get(key) ?? 0}`);
      texts.set(key, one.offset + one.text.length);
    } else problems.push(one.type);
  };
  client.follow(session, { update }, { after: 0 });
  return { client, session, seen, problems, cut: () => sockets.at(-1)?.close(), stop: () => client.close() };
}

function chatterbox(): Model {
  return {
    name: 'testing',
    async call(_request, sink, signal) {
      const words = Array.from({ length: 30 }, (_, index) => `word ${index} `);
      for (const word of words) {
        if (signal.aborted) return { type: 'cancelled' };
        sink.text(word);
        await sleep(1);
      }
      return completedReply(words.join(''));
    },
  };
}
