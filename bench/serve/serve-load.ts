import { Agent, request } from 'node:http';

import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { sleep } from '../harness/sleep.ts';
import { medianOf } from '../harness/statistics.ts';

export type ServerName = 'floor' | 'rondo';

export type Post = (path: string, body: unknown) => Promise<string>;

/** A server in this process, and how it is asked for the same things as the other one. */
export interface ServedSide extends AsyncDisposable {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly create: { readonly path: string; readonly body: unknown };
  readonly list: string;
  /** One prompt and its answer, all of it durable. */
  prompt(post: Post, session: string): Promise<void>;
}

export interface ServeLoad {
  readonly createMs: number;
  readonly createsPerSecond: number;
  /** CPU time of all threads, clients included: says more than the clock where others use the machine. */
  readonly createCpuMs: number;
  /** Heap that an idle session keeps. */
  readonly idleKb: number;
  readonly listMs: number;
  readonly listCpuMs: number;
  readonly promptMs: number;
  readonly promptsPerSecond: number;
  readonly promptCpuMs: number;
}

/** Server and client share the process, on both sides alike. */
export async function measureServeLoad(given: {
  readonly server: ServerName;
  readonly sessions: number;
}): Promise<ServeLoad> {
  using folder = createScratchFolder();
  const start =
    given.server === 'floor'
      ? (await import('./floor-server.ts')).startFloorServer
      : (await import('./rondo-server.ts')).startRondoServer;
  await using served = await start(folder.path);
  const ask = createAsking(served);
  const post: Post = (path, body) => ask('POST', path, body);
  const create = async () => (JSON.parse(await post(served.create.path, served.create.body)) as { id: string }).id;

  const made = await Promise.all(Array.from({ length: 50 }, create));
  const { ms: createMs } = await timed(100, create);
  await sleep(1000);
  collectGarbage();
  const heap = process.memoryUsage().heapUsed;
  const creating = await flood(given.sessions, create);
  await sleep(1500);
  collectGarbage();
  const idleKb = (process.memoryUsage().heapUsed - heap) / 1024 / given.sessions;
  const { ms: listMs, cpuMs: listCpuMs } = await timed(20, () => ask('GET', served.list));
  const { ms: promptMs } = await timed(50, () => served.prompt(post, made[0] ?? ''));
  const prompting = await flood(given.sessions / 2, (lane) => served.prompt(post, made[lane] ?? ''));
  return {
    createMs,
    createsPerSecond: creating.perSecond,
    createCpuMs: creating.cpuMs,
    idleKb,
    listMs,
    listCpuMs,
    promptMs,
    promptsPerSecond: prompting.perSecond,
    promptCpuMs: prompting.cpuMs,
  };
}

const lanes = 32;

/** From 32 clients at once, each of which waits for its answer before it asks again. */
async function flood(
  times: number,
  work: (lane: number) => Promise<unknown>,
): Promise<{ readonly perSecond: number; readonly cpuMs: number }> {
  const each = Math.ceil(times / lanes);
  const started = performance.now();
  const spent = process.cpuUsage();
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let one = 0; one < each; one += 1) await work(lane);
    }),
  );
  const all = each * lanes;
  return { perSecond: all / ((performance.now() - started) / 1000), cpuMs: cpuSince(spent) / all };
}

async function timed(
  times: number,
  work: () => Promise<unknown>,
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const taken: number[] = [];
  const spent = process.cpuUsage();
  for (let one = 0; one < times; one += 1) {
    const from = performance.now();
    await work();
    taken.push(performance.now() - from);
  }
  return { ms: medianOf(taken), cpuMs: cpuSince(spent) / times };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function createAsking({ url, headers }: ServedSide) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return (method: string, path: string, body?: unknown): Promise<string> =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const asking = request(
        `${url}${path}`,
        {
          method,
          agent,
          headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const all = Buffer.concat(chunks).toString('utf8');
            if ((answer.statusCode ?? 500) < 300) resolve(all);
            else reject(new Error(`${method} ${path}: ${answer.statusCode} ${all.slice(0, 300)}`));
          });
        },
      );
      asking.on('error', reject);
      asking.end(text);
    });
}
