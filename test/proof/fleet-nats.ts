/** Three NATS servers under a fleet. Each node reaches each of them through a proxy. */
import { setTimeout as sleep } from 'node:timers/promises';

import type { JetStreamManager } from '@nats-io/jetstream';

import { natsPlace } from '../../src/journal/nats/nats-address.ts';
import { connectNats } from '../../src/journal/nats/nats-client.ts';
import { openNatsStore } from '../../src/journal/nats/nats-store.ts';
import { layoutOf } from '../../src/journal/nats/store-layout.ts';
import type { SeededRandom } from '../../src/testing/simulation-random.ts';
import { noNatsCluster, startNatsCluster, type NatsTestServer } from '../fixtures/nats/server.ts';
import { startProxy, type Weather } from '../fixtures/postgres/proxy.ts';
import type { FleetEngine, FleetStore, StoreFault, StoreLine } from './fleet-store.ts';

export const natsFleet: FleetEngine = {
  name: 'NATS',
  missing: noNatsCluster(),
  start,
  faults: () => ({
    'NATS server killed': 4,
    'NATS leader killed': 5,
    'NATS server stopped': 4,
    'NATS server restarted': 3,
  }),
  shares: {},
};

/** Seconds. Electing a leader takes up to half of it. */
const lease = 15;
const options = `proof?replicas=3&streams=2&lease=${lease}`;
const caughtUpMs = 45_000;

async function start(): Promise<FleetStore> {
  // Else clients learn the servers' own addresses and go around the proxies.
  const cluster = await startNatsCluster({ isHidden: true });
  const { servers } = cluster;
  const address = `${cluster.address}/${options}`;
  const { name, streams } = natsPlace(address);
  const { directory, live, kept, logs } = layoutOf(name, streams);

  async function asked<Value>(work: (manager: JetStreamManager) => Promise<Value>): Promise<Value> {
    const client = await connectNats(natsPlace(address));
    try {
      return await work(client.manager);
    } finally {
      await client.close();
    }
  }

  /** Replicas that lack messages, with how long ago each of their servers was heard of. */
  async function replicasBehind(manager: JetStreamManager, stream: string) {
    const groups = await Promise.all(
      [stream, directory, live, kept, ...logs].map((one) => manager.streams.info(one)),
    );
    const behind = groups.flatMap(({ config, cluster: group }) =>
      (group?.replicas ?? [])
        .filter(({ current }) => !current)
        .map(({ name: replica, offline, lag, active }) => ({
          replica,
          isUnheard: offline || active === 0 || active / 1e6 > caughtUpMs / 2,
          text: [replica, 'of', config.name, offline ? 'offline' : '', `${lag} behind`, `${active / 1e6} ms`].join(
            ' ',
          ),
        })),
    );
    return { behind, leader: groups[0]?.cluster?.leader };
  }

  /** The server that leads a stream once all servers have all streams; before that, two of three would be away. */
  async function leaderOf(stream: string): Promise<NatsTestServer> {
    let reason = '';
    for (const isLastTry of [false, true]) {
      let unheard = new Set<string>();
      for (const end = performance.now() + caughtUpMs; performance.now() < end; await sleep(200)) {
        const leader = await asked(async (manager) => {
          const found = await replicasBehind(manager, stream);
          unheard = new Set(found.behind.flatMap(({ replica, isUnheard }) => (isUnheard ? [replica] : [])));
          reason = found.behind.map(({ text }) => text).join('; ');
          return found.behind.length === 0 ? found.leader : undefined;
        }).catch((error: unknown) => {
          reason = String(error);
          return undefined;
        });
        const server = servers.find((one) => one.name === leader);
        if (server !== undefined) return server;
      }
      // Peers of a server of 2.10 that restarted under load may not hear of it again, whatever Rondo does.
      for (const server of isLastTry ? [] : servers.filter(({ name: one }) => unheard.has(one))) {
        process.stdout.write(`fleet under fire: restarts ${server.name}, which is behind: ${reason}\n`);
        await restart(server, 'SIGKILL', 0);
      }
    }
    throw new Error(`The servers did not catch up within ${(2 * caughtUpMs) / 1000} s: ${reason}.`);
  }

  return {
    lease,
    async line(): Promise<StoreLine> {
      await using made = new AsyncDisposableStack();
      const proxies = await Promise.all(
        servers.map(async (server) =>
          made.use(await startProxy(Number(new URL(server.address).port), { isStrict: true })),
        ),
      );
      const owned = made.move();
      let weather: Weather = 'fair';
      return {
        address: `nats://${proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${options}`,
        get weather() {
          return weather;
        },
        set weather(next) {
          weather = next;
          for (const proxy of proxies) proxy.weather = next;
        },
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
    },
    open: () => openNatsStore({ address }),
    async inject(fault: StoreFault, random: SeededRandom): Promise<boolean> {
      const leader = await leaderOf(random.pick([directory, live, kept, ...logs]));
      const pause = random.whole(2000);
      switch (fault) {
        case 'NATS leader killed':
          await restart(leader, 'SIGKILL', pause);
          return true;
        case 'NATS server killed':
          await restart(random.pick(servers), 'SIGKILL', pause);
          return true;
        case 'NATS server restarted':
          await restart(random.pick(servers), 'SIGTERM', pause);
          return true;
        case 'NATS server stopped': {
          const { pid } = random.pick([leader, random.pick(servers)]);
          process.kill(pid, 'SIGSTOP');
          // Long enough for another leader, at times.
          await sleep(random.whole(10_000));
          process.kill(pid, 'SIGCONT');
          return true;
        }
        case 'database connections terminated':
        case 'database killed':
        case 'database restarted':
        case 'synchronous standby promoted':
          return false;
      }
    },
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

async function restart(server: NatsTestServer, signal: 'SIGTERM' | 'SIGKILL', pauseMs: number): Promise<void> {
  await server.stop(signal);
  await sleep(pauseMs);
  await server.start();
}
