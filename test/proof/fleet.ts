/**
 * Three real servers on one store. Each reaches the store through its own proxies, and clients and other nodes reach it
 * through another one.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createCuttingProxy, type CuttingProxy } from './cutting-proxy.ts';
import type { FleetEngine, FleetStore, StoreLine } from './fleet-store.ts';
import { serveRondo, type ServedRondo } from './served-rondo.ts';
import { createWrongClock, type WrongClock } from './wrong-clock.ts';

export interface FleetNode {
  readonly name: string;
  readonly served: ServedRondo;
  /** Between the node and the store. */
  readonly store: StoreLine;
  /** Between clients or other nodes and this one. */
  readonly network: CuttingProxy;
  readonly clock: WrongClock;
}

export interface Fleet extends AsyncDisposable {
  readonly store: FleetStore;
  readonly nodes: readonly FleetNode[];
  /** Addresses for clients. */
  readonly urls: readonly string[];
  readonly token: string;
  /** A call that any node may answer. */
  get<Body>(place: string): Promise<Body>;
  post<Body>(place: string, body: unknown): Promise<Body>;
  /** Starts a node as a supervisor does: until it runs. */
  restart(node: FleetNode): Promise<void>;
}

const callMs = 10_000;

interface FleetSetting {
  readonly names?: readonly string[];
  /** Seconds that running turns get when a node is drained. */
  readonly drain?: number;
}

export async function startFleet(
  engine: FleetEngine,
  folder: string,
  { names = ['a', 'b', 'c'], drain = 5 }: FleetSetting = {},
): Promise<Fleet> {
  await using made = new AsyncDisposableStack();
  const store = made.use(await engine.start());
  const token = 'rondo_owner-of-all-nodes-of-this-proof';
  const cwd = path.join(folder, 'work');
  await mkdir(cwd);

  async function startNode(name: string): Promise<FleetNode> {
    const line = made.use(await store.line());
    let port = 0;
    const network = made.use(await createCuttingProxy(() => port));
    const clock = made.use(createWrongClock(path.join(folder, `clock-${name}`)));
    const options = ['--store', line.address, '--node', name, '--drain', String(drain)];
    const advertise = ['--advertise', `http://127.0.0.1:${network.port}`];
    const served = made.use(await serveRondo({ options: [...options, ...advertise], env: clock.env, token, cwd }));
    ({ port } = served);
    return { name, served, store: line, network, clock };
  }

  // The first one creates the store.
  const first = await startNode(names[0] ?? '');
  const nodes = [first, ...(await Promise.all(names.slice(1).map(startNode)))];
  let last = 0;

  async function call<Body>(method: string, place: string, body?: unknown): Promise<Body> {
    let problem = '';
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(50)) {
      const node = nodes[(last += 1) % nodes.length];
      let isFinal = method !== 'GET';
      try {
        const answer = await fetch(`http://127.0.0.1:${node?.served.port}/api/v1${place}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          signal: AbortSignal.timeout(callMs),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text) as Body;
        problem = `node ${node?.name} answered ${answer.status} ${text}`;
        isFinal ||= answer.status < 500;
      } catch (error) {
        problem = `node ${node?.name}: ${String(error)}`;
      }
      if (isFinal) break;
    }
    throw new Error(`${method} ${place}: ${problem}`);
  }

  const owned = made.move();
  return {
    store,
    nodes,
    urls: nodes.map(({ network }) => `http://127.0.0.1:${network.port}`),
    token,
    get: (place) => call('GET', place),
    post: (place, body) => call('POST', place, body),
    async restart({ name, served }) {
      const problems: string[] = [];
      for (const end = performance.now() + 90_000; performance.now() < end; await sleep(200)) {
        try {
          return await served.restart();
        } catch (error) {
          problems.push(String(error));
        }
      }
      throw new Error(`Node ${name} did not start: ${problems.at(-1)}`);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
