// What is found by name, listed and removed takes several writes to a NATS server. A process dies between any two of
// them, and the next owner finds all of it or nothing.
import net from 'node:net';
import { once } from 'node:events';

import { describe, expect, test } from 'vitest';

import { natsPlace } from '../../src/journal/nats/nats-address.ts';
import { openNatsStore, type NatsStore } from '../../src/journal/nats/nats-store.ts';
import { layoutOf } from '../../src/journal/nats/store-layout.ts';
import type { NewRecord } from '../../src/ports/journal.ts';
import type { Claim, Position } from '../../src/ports/lease.ts';
import {
  ada,
  directoryEntry,
  first,
  keyedRecord,
  record,
  recorded,
  request,
  second,
} from '../../src/testing/contracts/journal-samples.ts';
import { noNats } from '../fixtures/nats/server.ts';
import { freshNatsStore } from '../fixtures/nats/store-under-test.ts';

const missing = noNats();
const mostWrites = 30;

interface Scene {
  /** The process that dies. */
  readonly dying: NatsStore;
  /** Of `first`, which it owns and which has one record. */
  readonly position: Position;
}

interface Gate extends AsyncDisposable {
  port: number;
  left: number;
  isShut: boolean;
  /** Cuts a client that writes to this subject. */
  refuses: string | undefined;
}

/** Lets so many writes of a client through, then none. */
async function startGate(to: number): Promise<Gate> {
  const sockets = new Set<net.Socket>();
  const gate = { port: 0, left: Infinity, isShut: false, refuses: undefined as string | undefined };
  const server = net.createServer((client) => {
    const upstream = net.connect(to, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (chunk: Buffer) => {
      gate.left -= chunk.toString('latin1').split('HPUB ').length - 1;
      gate.isShut ||= gate.left < 0;
      const isRefused = gate.refuses !== undefined && chunk.includes(`HPUB ${gate.refuses} `);
      if (gate.isShut || isRefused) client.destroy();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => client.write(chunk));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  gate.port = (server.address() as net.AddressInfo).port;
  return Object.assign(gate, {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

/** Cuts the work after each number of writes, and lets another process look at what is left. */
async function cutEverywhere(
  work: (scene: Scene) => Promise<unknown>,
  look: (next: NatsStore, cut: number) => Promise<void>,
  prepare: (dying: NatsStore) => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  for (let cut = 0; cut < mostWrites; cut += 1) {
    const address = await freshNatsStore(undefined, 'streams=1');
    const place = new URL(address);
    await using gate = await startGate(Number(place.port));
    place.port = String(gate.port);
    const patience = { retryMs: 100, answerMs: 1000 };
    const dying = await openNatsStore({ address: place.href, patience });
    const { position } = dying.leases.create(first);
    const creation = { key: 'origin', digest: 'd' };
    const begun = await dying.journal.append(request(0, [record('a')], { position, creation }));
    if (begun.type !== 'appended') throw new Error(JSON.stringify(begun));
    await prepare(dying);
    gate.left = cut;
    const outcome = await work({ dying, position: begun.position }).catch(() => undefined);
    const isCut = gate.isShut;
    await dying.abandon();
    const dead = dying.leases.self.id;
    await using next = await openNatsStore({ address, isDead: ({ id }) => id === dead });
    await look(next, cut);
    if (!isCut && outcome === undefined) throw new Error('It failed without a cut.');
    if (!isCut) return cut;
  }
  throw new Error(`It takes more than ${mostWrites} writes.`);
}

async function claimOf({ leases }: NatsStore): Promise<Claim> {
  const answer = await leases.claim(first);
  if (answer.type !== 'claimed') throw new Error(JSON.stringify(answer));
  return answer.claim;
}

async function removeWhole(next: NatsStore): Promise<void> {
  const { epoch } = await claimOf(next);
  const whole = await next.journal.read(first, { after: 0 });
  const removed = await next.upkeep.remove(first, { epoch, seq: 1 }, { family: [] });
  expect({ whole, removed }).toEqual({ whole: { events: recorded(1, 'a'), last: 1 }, removed: 'done' });
}

const listed = async ({ journal }: NatsStore) =>
  (await journal.list({})).entries.map(({ session, title }) => [session, title]);

describe.skipIf(missing !== undefined)(`[C152] a process dies between its writes ${missing ?? ''}`, () => {
  test('[O11] [O16] of a creation: its key leads to a session that is there, or may be used again', async () => {
    const entry = directoryEntry(second, { title: 'made' });
    const made = request(0, [keyedRecord('made', 'k')], {
      session: second,
      creation: { key: 'new', digest: 'd' },
      projection: { entry },
    });
    const writes = await cutEverywhere(
      ({ dying }) => dying.journal.append({ ...made, position: dying.leases.create(second).position }),
      async (next) => {
        const found = await next.journal.createdWith('new');
        const outcome =
          found === undefined
            ? await next.journal.append({ ...made, position: next.leases.create(second).position })
            : await next.leases.claim(second);
        expect(['appended', 'claimed']).toContain(outcome.type);
        expect(await next.journal.createdWith('new')).toEqual({ session: second, digest: 'd' });
        expect(await next.journal.read(second, { after: 0 })).toEqual({ events: recorded(1, 'made'), last: 1 });
        expect(await next.journal.keyed(second, 'k')).toEqual({ digest: 'digest of made', seq: 1 });
        expect(await listed(next)).toEqual([[second, 'made']]);
      },
    );
    expect(writes).toBeGreaterThan(3);
  });

  test('[O8] [O13] of an append: its key, its answer and what lists show follow it', async () => {
    let letter = 0;
    const shown = { entry: directoryEntry(first, { title: 'shown' }) };
    const writes = await cutEverywhere(
      ({ dying, position }) => {
        const settles = [{ letter, answer: 'done' }];
        const more = { position, projection: shown, settles };
        return dying.journal.append(request(1, [keyedRecord('b', 'k')], more));
      },
      async (next) => {
        await claimOf(next);
        const isThere = (await next.journal.head(first))?.seq === 2;
        expect(await next.journal.keyed(first, 'k')).toEqual(
          isThere ? { digest: 'digest of b', seq: 2 } : undefined,
        );
        expect(await listed(next)).toEqual(isThere ? [[first, 'shown']] : []);
        expect(await next.inbox.pending()).toEqual(isThere ? [] : [first]);
        expect(await next.inbox.answerTo(letter, { timeoutMs: 50 })).toBe(isThere ? 'done' : undefined);
      },
      async ({ inbox }) => {
        letter = await inbox.put(first, { key: 'l', body: '{}' });
      },
    );
    expect(writes).toBeGreaterThan(3);
  });

  test('[O11] of a fork: its origin stays while the fork is there, and can be removed while it is not', async () => {
    const forked: NewRecord = {
      at: 1000,
      by: ada,
      events: [JSON.stringify({ type: 'session-forked', from: { session: first, seq: 1 } })],
    };
    const writes = await cutEverywhere(
      ({ dying }) => {
        const { position } = dying.leases.create(second);
        return dying.journal.append(request(0, [forked], { session: second, position, refersTo: [first] }));
      },
      async (next) => {
        const isThere = (await next.journal.head(second)) !== undefined;
        const { epoch } = await claimOf(next);
        const answer = await next.upkeep.remove(first, { epoch, seq: 1 }, { family: [] });
        expect(answer).toBe(isThere ? 'changed' : 'done');
        expect((await next.journal.head(first)) === undefined).toBe(!isThere);
      },
    );
    expect(writes).toBeGreaterThan(1);
  });

  test('[O11] of a removal: the session is whole, or nowhere once it is removed again', async () => {
    const writes = await cutEverywhere(
      ({ dying }) => dying.upkeep.remove(first, { epoch: 1, seq: 1 }, { family: [] }),
      async (next) => {
        // Every process looks for work, and completes what it finds.
        await next.leases.claimable({ at: 1, limit: 10 });
        if ((await next.journal.head(first)) !== undefined) await removeWhole(next);
        expect(await next.journal.createdWith('origin')).toBeUndefined();
        expect(await listed(next)).toEqual([]);
        expect(await next.upkeep.sessions()).toEqual([]);
        const { position } = next.leases.create(second);
        const creation = { key: 'origin', digest: 'd' };
        const again = request(0, [record('again')], { session: second, position, creation });
        expect(await next.journal.append(again)).toMatchObject({ type: 'appended', seq: 1 });
      },
    );
    expect(writes).toBeGreaterThan(1);
  });
});

test.skipIf(missing !== undefined)(
  `[C152] [O13] what lists show follows an append when writing it failed, without another append ${missing ?? ''}`,
  async () => {
    const address = await freshNatsStore(undefined, 'streams=1');
    await using other = await openNatsStore({ address });
    const place = new URL(address);
    await using gate = await startGate(Number(place.port));
    place.port = String(gate.port);
    const patience = { retryMs: 300, answerMs: 1000 };
    await using store = await openNatsStore({ address: place.href, patience });
    const titled = (title: string) => ({ projection: { entry: directoryEntry(first, { title }) } });
    const begun = await store.journal.append(
      request(0, [record('a')], { position: store.leases.create(first).position, ...titled('before') }),
    );
    if (begun.type !== 'appended') throw new Error(JSON.stringify(begun));
    gate.refuses = layoutOf(natsPlace(address).name, 1).subject('directory', first);
    const answer = await store.journal.append(
      request(1, [record('b')], { position: begun.position, ...titled('after') }),
    );
    expect({ type: answer.type, listed: await listed(other) }).toEqual({
      type: 'appended',
      listed: [[first, 'before']],
    });
    gate.refuses = undefined;
    await expect.poll(() => listed(other)).toEqual([[first, 'after']]);
  },
);
