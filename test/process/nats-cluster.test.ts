// Three NATS servers on loopback. The leader of a stream is killed while sessions write.
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { natsPlace } from '../../src/journal/nats/nats-address.ts';
import { connectNats } from '../../src/journal/nats/nats-client.ts';
import { openNatsStore, type NatsStore } from '../../src/journal/nats/nats-store.ts';
import { layoutOf } from '../../src/journal/nats/store-layout.ts';
import type { SessionId } from '../../src/kernel/ids.ts';
import type { AppendRequest } from '../../src/ports/journal.ts';
import type { Position } from '../../src/ports/lease.ts';
import { first, record, request, second } from '../../src/testing/contracts/journal-samples.ts';
import { noNatsCluster, startNatsCluster, type NatsCluster } from '../fixtures/nats/server.ts';
import { freshNatsStore } from '../fixtures/nats/store-under-test.ts';

const missing = noNatsCluster();

describe.skipIf(missing !== undefined)(`[C152] a cluster of three NATS servers ${missing ?? ''}`, () => {
  let cluster: NatsCluster;
  beforeAll(async () => {
    cluster = await startNatsCluster();
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  const fresh = () => freshNatsStore(cluster.address, 'replicas=3&streams=2');
  /** However long servers on a busy machine take to elect a leader. */
  const open = (address: string) => openNatsStore({ address, patience: { retryMs: 60_000 } });

  /** Kills the server that leads a stream, and starts it again after a while. */
  async function killLeader(address: string, session: SessionId, awayMs: number): Promise<void> {
    const { name, streams } = natsPlace(address);
    const client = await connectNats(natsPlace(address));
    const { stream } = layoutOf(name, streams).logOf(session);
    const leaderName = async () => {
      const { cluster: group } = await client.manager.streams.info(stream);
      // The one that was killed before must have caught up, or two of three were away.
      return group?.replicas?.every(({ current }) => current) === true ? group.leader : undefined;
    };
    let leader: string | undefined;
    await expect.poll(async () => (leader = await leaderName().catch(() => undefined))).toBeDefined();
    await client.close();
    const server = cluster.servers.find((one) => one.name === leader);
    if (server === undefined) throw new Error(`There is no server ${leader}.`);
    await server.stop('SIGKILL');
    await sleep(awayMs);
    await server.start();
  }

  /** Appends one event after another until told to stop, as the owner of a session does. */
  async function write(
    { journal, leases }: NatsStore,
    session: SessionId,
    { isOver, wrote }: { readonly isOver: () => boolean; readonly wrote: (seq: number) => void },
  ): Promise<number> {
    let position: Position = leases.create(session).position;
    let seq = 0;
    while (!isOver()) {
      const next: AppendRequest = request(seq, [record(`${session} ${seq + 1}`)], {
        session,
        position,
        id: `${session}.${seq + 1}`,
      });
      const answer = await journal.append(next);
      if (answer.type !== 'appended') throw new Error(JSON.stringify(answer));
      expect(answer.seq).toBe(seq + 1);
      ({ seq, position } = answer);
      wrote(seq);
    }
    return seq;
  }

  async function namesOf({ journal }: NatsStore, session: SessionId): Promise<readonly string[]> {
    const { events } = await journal.read(session, { after: 0 });
    return events.map(({ event }) => (event.type === 'custom' ? event.name : event.type));
  }

  test('[P1] [O16] nothing acknowledged is lost or doubled when a leader is killed during appends', async () => {
    const address = await fresh();
    await using writing = await open(address);
    await using reading = await open(address);
    let isOver = false;
    const sessions = [first, second, 'ses_third' as SessionId];
    const counts = new Map<SessionId, number>(sessions.map((session) => [session, 0]));
    const writers = Promise.all(
      sessions.map((session) =>
        write(writing, session, { isOver: () => isOver, wrote: (seq) => void counts.set(session, seq) }),
      ),
    );
    /** Each writer goes on so far. */
    const eachWrites = async (more: number) => {
      const before = new Map(counts);
      const isBehind = (session: SessionId) => (counts.get(session) ?? 0) < (before.get(session) ?? 0) + more;
      while (sessions.some(isBehind)) await Promise.race([writers, sleep(20)]);
    };
    await eachWrites(5);
    await killLeader(address, first, 500);
    await eachWrites(5);
    isOver = true;
    await writers;
    for (const [session, count] of counts) {
      // A leader that was just elected may still be applying what its predecessor acknowledged.
      await expect
        .poll(() => namesOf(reading, session))
        .toEqual(Array.from({ length: count }, (_, number) => `${session} ${number + 1}`));
    }
  }, 180_000);

  /** A store through each of the servers. */
  async function throughEachServer(): Promise<readonly NatsStore[]> {
    const address = await fresh();
    const options = address.slice(cluster.address.length);
    // The first one creates it.
    const [first, ...others] = cluster.servers.map((server) => `${server.address}${options}`);
    const made = await open(first ?? '');
    return [made, ...(await Promise.all(others.map(open)))];
  }

  test('[P4] [O1] one of several processes that claim a session at once gets it', async () => {
    await using stack = new AsyncDisposableStack();
    const stores = (await throughEachServer()).map((store) => stack.use(store));
    const [one] = stores;
    if (one === undefined) return;
    let owned = one.leases.create(first);
    await one.journal.append(request(0, [record('a')], { position: owned.position }));
    for (let round = 0; round < 30; round += 1) {
      await owned.release();
      const answers = await Promise.all(stores.map((store) => store.leases.claim(first)));
      const claims = answers.flatMap((answer) => (answer.type === 'claimed' ? [answer.claim] : []));
      expect({ round, owners: claims.length }).toEqual({ round, owners: 1 });
      owned = claims[0] ?? owned;
    }
  });

  test('[P4] [O1] [O8] processes on different servers share sessions, letters and lists', async () => {
    const address = await fresh();
    const [a = '', b = ''] = cluster.servers.map(
      (server) => `${server.address}${address.slice(cluster.address.length)}`,
    );
    await using one = await open(a);
    await using other = await open(b);
    const claim = one.leases.create(first);
    const { position } = claim;
    const letter = await other.inbox.put(first, { key: 'k', body: '{}' });
    const settles = [{ letter, answer: 'done' }];
    const answer = await one.journal.append(request(0, [record('a')], { position, settles }));
    expect(answer).toMatchObject({ type: 'appended', seq: 1 });
    expect(await other.inbox.answerTo(letter, { timeoutMs: 10_000 })).toBe('done');
    expect((await other.leases.claim(first)).type).toBe('held');
    expect(await other.upkeep.sessions()).toEqual([first]);
    await claim.release();
    expect((await other.leases.claim(first)).type).toBe('claimed');
    if (answer.type !== 'appended') return;
    const late = request(1, [record('late')], { position: answer.position });
    expect(await one.journal.append(late)).toEqual({ type: 'fenced', epoch: 2 });
  });
});
