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

  /** The first server that lacks messages of a stream, and how many. */
  async function behindIn(manager: JetStreamManager, stream: string) {
    const groups = await Promise.all(
      [stream, directory, live, kept, ...logs].map((one) => manager.streams.info(one)),
    );
    const [behind] = groups.flatMap(({ config, cluster: group }) =>
      (group?.replicas ?? [])
        .filter(({ current }) => !current)
        .map(({ name: replica, lag, active }) => ({
          replica,
          text: `${replica}, ${lag} messages behind in ${config.name}, heard of ${Math.round(active / 1e6)} ms ago`,
        })),
    );
    return { behind, leader: groups[0]?.cluster?.leader };
  }

  /**
   * The server that leads a stream once all servers have all streams; before that, two of three would be away. Servers of
   * 2.10 that were killed or stopped under load may stay behind, whatever Rondo does; a restart helps. Undefined if even
   * that took too long.
   */
  async function leaderOf(stream: string): Promise<NatsTestServer | undefined> {
    for (const isLastTry of [false, true]) {
      let behind: Awaited<ReturnType<typeof behindIn>>['behind'];
      for (const end = performance.now() + caughtUpMs; performance.now() < end; await sleep(200)) {
        const found = await asked((manager) => behindIn(manager, stream)).catch(() => undefined);
        behind = found?.behind;
        const server = servers.find(({ name: one }) => behind === undefined && one === found?.leader);
        if (server !== undefined) return server;
      }
      const late = servers.find(({ name: one }) => one === behind?.replica);
      if (isLastTry || late === undefined) continue;
      process.stdout.write(`fleet under fire: restarts ${behind?.text}\n`);
      await restart(late, 'SIGKILL', 0);
    }
    return undefined;
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
      if (leader === undefined) return false;
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
        case 'database connections fell silent':
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
