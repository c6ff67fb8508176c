// Servers on one memory store that reach each other only through their addresses, as on several machines.
import { createServer } from 'node:net';

import { createMemoryStore, type MemoryStore } from '../../src/journal/memory-store.ts';
import type { Model, ModelSink } from '../../src/ports/model.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { prepareNode, type NodeOptions, type ServerNode } from '../../src/server/nodes/node.ts';
import type { ServerOptions } from '../../src/server/server.ts';
import { startTestServer, type TestServer } from './server-setup.ts';

export interface NodeScene {
  readonly store: MemoryStore;
  start(name: string, options?: NodeSceneOptions): Promise<SceneNode>;
}

interface NodeSceneOptions extends Partial<NodeOptions> {
  readonly model?: Model;
  readonly server?: Partial<ServerOptions>;
}

export interface SceneNode extends TestServer {
  readonly store: MemoryStore;
  readonly node: ServerNode;
  readonly address: string;
}

export function createNodeScene(): NodeScene {
  const store = createMemoryStore();
  return {
    store,
    async start(name, { model, server, ...options } = {}) {
      const seat = store.another();
      // On another machine: the bus reaches nobody.
      const deaf = { ...seat, bus: { ...seat.bus, publish: () => undefined, subscribe: () => () => undefined } };
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
        rondo: { store: deaf, links: ready.links, ...(model !== undefined && { models: { testing: model } }) },
        server: { port, node, ...server },
      });
      return { ...started, store: seat, node, address };
    },
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
