// Servers on one store that reach each other only through their addresses, as on several machines.
import { setTimeout as sleep } from 'node:timers/promises';

import { createMemoryStore, type MemoryStore } from '../../src/journal/memory-store.ts';
import type { AgentOptions } from '../../src/assembly/agents/agent-source.ts';
import type { Model, ModelSink } from '../../src/ports/model.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { prepareNode, type NodeOptions, type ServerNode } from '../../src/server/nodes/node.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { Fault } from '../../src/kernel/fault.ts';
import { optional } from '../../src/kernel/optional.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { Leases } from '../../src/ports/lease.ts';
import type { Store } from '../../src/ports/store.ts';
import type { Tool } from '../../src/ports/tool.ts';
import { freePort } from '../fixtures/free-port.ts';
import { openPostgresUnderTest } from '../fixtures/postgres/store-under-test.ts';
import { startTestServer, type TestServer } from './server-setup.ts';

export type SceneEngine = 'memory' | 'PostgreSQL';

export interface NodeScene extends AsyncDisposable {
  /** The store of another process. */
  another(): Promise<Store>;
  /** Its process is killed. */
  crash(store: Store): Promise<void>;
  start(name: string, options?: NodeSceneOptions): Promise<SceneNode>;
}

interface NodeSceneOptions extends Partial<NodeOptions> {
  readonly model?: Model;
  readonly agents?: Readonly<Record<string, AgentOptions>>;
  readonly tools?: readonly Tool[];
  readonly server?: Partial<ServerOptions>;
  /** While true, this node can't read from the store. */
  readonly away?: () => boolean;
}

export interface SceneNode extends TestServer {
  readonly store: Store;
  readonly node: ServerNode;
  readonly address: string;
}

export async function createNodeScene(engine: SceneEngine): Promise<NodeScene> {
  const stores = await (engine === 'memory' ? memoryStores() : postgresStores());
  return {
    ...stores,
    async start(name, { model, agents, tools, server, away, ...options } = {}) {
      const seat = await stores.another();
      // On another machine: the bus reaches nobody.
      const deaf = {
        ...seat,
        journal: away === undefined ? seat.journal : cutOff(seat.journal, away),
        leases: away === undefined ? seat.leases : lapsing(seat.leases, away),
        bus: { ...seat.bus, publish: () => undefined, subscribe: () => () => undefined },
      };
      const logger = { log: () => undefined };
      const ready = prepareNode({ store: deaf, clock: createSystemClock(), logger, isInsecure: false });
      const port = await freePort();
      const address = `${server?.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
      const node = await ready.register({
        name,
        address,
        labels: [],
        capacity: 10,
        version: '0.0.0-test',
        ...options,
      });
      const started = await startTestServer({
        rondo: {
          store: deaf,
          links: ready.links,
          labels: options.labels ?? [],
          ...(model !== undefined && { models: { testing: model } }),
          ...optional({ agents, tools }),
        },
        server: { port, node, ...server },
      });
      return { ...started, store: seat, node, address };
    },
  };
}

/** As `rondo serve` does, until it is disposed. */
export function lookForWork(nodes: readonly SceneNode[]): AsyncDisposable {
  const stopped = new AbortController();
  const looking = nodes.map(async ({ node, rondo }) => {
    while (!stopped.signal.aborted) {
      await rondo.adopt(await node.placement());
      await sleep(100);
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await Promise.all(looking);
    },
  };
}

/** Renewals don't reach the store either, and the lease is over at once. */
function lapsing(leases: Leases, away: () => boolean): Leases {
  const standing: Leases['standing'] = () => (away() ? 'lapsed' : leases.standing());
  return Object.create(leases, { standing: { value: standing } }) as Leases;
}

function cutOff(journal: Journal, away: () => boolean): Journal {
  const fault = () => Promise.reject(new Fault('network', 'The store is away.'));
  const read: Journal['read'] = (...asked) => (away() ? fault() : journal.read(...asked));
  const head: Journal['head'] = (...asked) => (away() ? fault() : journal.head(...asked));
  const list: Journal['list'] = (...asked) => (away() ? fault() : journal.list(...asked));
  const openQuestions: Journal['openQuestions'] = (...asked) =>
    away() ? fault() : journal.openQuestions(...asked);
  const cut = { read, head, list, openQuestions };
  return Object.create(
    journal,
    Object.fromEntries(Object.entries(cut).map(([name, value]) => [name, { value }])),
  ) as Journal;
}

function memoryStores(): Omit<NodeScene, 'start'> {
  const store = createMemoryStore();
  return {
    another: () => Promise.resolve(store.another()),
    crash: (crashed) => Promise.resolve((crashed as MemoryStore).crash()),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function postgresStores(): Promise<Omit<NodeScene, 'start'>> {
  const place = await openPostgresUnderTest({ leaseMs: 15_000 });
  return {
    another: () => place.another(),
    crash: (store) => place.crash(store),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  };
}

/** A model that says what the test says, when it says it. */
export function dictatedModel() {
  const called = Promise.withResolvers<ModelSink>();
  const ended = Promise.withResolvers<void>();
  let whole = '';
  const model: Model = {
    name: 'dictated',
    async call(_request, sink, signal) {
      called.resolve(sink);
      signal.addEventListener('abort', () => ended.resolve());
      await ended.promise;
      if (signal.aborted) return { type: 'cancelled' };
      const usage = { inputTokens: 1, outputTokens: 1, cost: 0, estimated: true };
      return { type: 'completed', text: whole, calls: [], usage, stop: 'end' };
    },
  };
  return {
    model,
    async say(text: string): Promise<void> {
      const sink = await called.promise;
      whole += text;
      sink.text(text);
    },
    end: () => ended.resolve(),
  };
}
