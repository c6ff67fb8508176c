import { collectGarbage } from '../harness/collect-garbage.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { sleep } from '../harness/sleep.ts';
import { createAsking } from './asking.ts';
import { flood, timed } from './flood.ts';

export type ServerName = 'floor' | 'rondo';

export type Post = (path: string, body: unknown) => Promise<string>;

/** A server in this process, with the same requests as the other one. */
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
  /** CPU time of all threads, clients included: more meaningful than wall time on a shared machine. */
  readonly createCpuMs: number;
  /** Heap per idle session. */
  readonly idleKb: number;
  readonly listMs: number;
  readonly listCpuMs: number;
  readonly promptMs: number;
  readonly promptsPerSecond: number;
  readonly promptCpuMs: number;
}

/** Server and client share the process, for Rondo and the floor alike. */
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
  const list = () => ask('GET', served.list);
  // A server lists sessions all day, so the first answers, during which code is compiled, don't count.
  await timed(50, list);
  const { ms: listMs, cpuMs: listCpuMs } = await timed(100, list);
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
