import { afterEach, expect, test } from 'vitest';

import { createMemoryStore, type MemoryStore } from '../../journal/memory-store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { createRondo, type Rondo, type Update } from '../../rondo.ts';
import { testTool } from '../../testing/test-tool.ts';
import { testingAgent } from '../../testing/testing-agent.ts';

const open: Rondo[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((rondo) => rondo.close()));
});
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

async function rondoOn(store: MemoryStore): Promise<Rondo> {
  const change = testTool('change', () => 'changed', { access: 'write', repeat: 'never', order: 'exclusive' });
  const rondo = await createRondo(testingAgent({ store, tools: [change] }));
  open.push(rondo);
  return rondo;
}

/** A session from a process that has since ended, and a new process with its store open. */
async function opened(prompt: string) {
  const before = createMemoryStore();
  const rondo = await createRondo(
    testingAgent({ store: before, tools: [testTool('change', () => 'changed', { access: 'write' })] }),
  );
  const { id } = await rondo.sessions.create().then(async (session) => {
    await session.chat(prompt);
    return session;
  });
  await rondo.close();
  const store = before.another();
  return { store, rondo: await rondoOn(store), id };
}

async function owned(store: MemoryStore, id: SessionId): Promise<void> {
  while ((await store.leases.ownerOf(id)) === undefined) await turnOfLoop();
}

test('[P10] an idle session shows its status before it is owned, and is owned right after', async () => {
  const { store, rondo, id } = await opened('hello');
  const session = await rondo.sessions.open(id);
  expect(await session.status()).toMatchObject({ lifecycle: 'idle', usage: { turns: 1 } });
  expect(await store.leases.ownerOf(id)).toBeUndefined();
  await owned(store, id);
  expect(await store.leases.ownerOf(id)).toEqual(store.leases.self);
  expect(await session.chat('again')).toMatchObject({ outcome: 'completed', text: 'You said: again' });
});

test('[P10] a session idle is shown to a follower before it is owned, and every event after that comes once', async () => {
  const { store, rondo, id } = await opened('hello');
  const session = await rondo.sessions.open(id);
  const seen: Update[] = [];
  const owners: unknown[] = [];
  for await (const update of session.follow()) {
    if (update.type === 'snapshot') {
      owners.push(await store.leases.ownerOf(id));
      void session.chat('again');
    }
    seen.push(update);
    if (update.type === 'event' && update.recorded.event.type === 'turn-ended') break;
  }
  expect(owners).toEqual([undefined]);
  const [first, ...rest] = seen.filter(({ type }) => type !== 'progress');
  const { last } = await session.events({ after: 0 });
  const from = first?.type === 'snapshot' ? first.seq : 0;
  expect(rest.map((update) => update.type === 'event' && update.recorded.seq)).toEqual(
    Array.from({ length: last - from }, (_, index) => from + 1 + index),
  );
});

test('[P4] a read before the claim is repeated if another process wrote in between', async () => {
  const { store, rondo, id } = await opened('hello');
  const other = await rondoOn(store.another());
  const session = await rondo.sessions.open(id);
  const elsewhere = await other.sessions.open(id);
  await session.status();
  await elsewhere.chat('from elsewhere');
  await elsewhere.close();
  expect(await session.chat('again')).toMatchObject({ outcome: 'completed', text: 'You said: again' });
  expect(await session.status()).toMatchObject({ usage: { turns: 3 } });
});

test("[P10] opening a session doesn't repeat the reads of the look before it", async () => {
  const { store, rondo, id } = await opened('hello');
  const reads: string[] = [];
  const { read } = store.journal;
  Object.assign(store.journal, {
    read: (of: SessionId, given: { after: number }) => (reads.push(`${of} ${given.after}`), read(of, given)),
  });
  const session = await rondo.sessions.open(id);
  await session.status();
  await owned(store, id);
  await session.status();
  expect(reads.filter((each) => each.startsWith(id))).toHaveLength(1);
});

test('a session that was read and closed at once is left to others', async () => {
  const { store, rondo, id } = await opened('hello');
  const session = await rondo.sessions.open(id);
  await session.status();
  await session.close();
  for (let turn = 0; turn < 5; turn += 1) await turnOfLoop();
  expect(await store.leases.ownerOf(id)).toBeUndefined();
});

test('a process that closes right after a look leaves the session to others', async () => {
  const { store, rondo, id } = await opened('hello');
  const session = await rondo.sessions.open(id);
  const claimed: string[] = [];
  const { claim } = store.leases;
  Object.assign(store.leases, { claim: (of: SessionId) => (claimed.push(of), claim(of)) });
  await session.status();
  await rondo.close();
  for (let turn = 0; turn < 5; turn += 1) await turnOfLoop();
  expect(claimed).toEqual([]);
});

test('a closed process reads no session', async () => {
  const { rondo, id } = await opened('hello');
  const session = await rondo.sessions.open(id);
  await rondo.close();
  await expect(session.status()).rejects.toThrow('Rondo is closed in this process');
});

test('[P2] a session in motion is owned and recovered before it is shown', async () => {
  const { store, rondo, id } = await opened('call change {}\nsay done');
  const session = await rondo.sessions.open(id);
  expect(await session.status()).toMatchObject({ lifecycle: 'waiting' });
  expect(await store.leases.ownerOf(id)).toEqual(store.leases.self);
});
