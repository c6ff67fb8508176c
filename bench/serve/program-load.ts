/** A server in a separate process, measured with the most common requests to session servers. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';

import { machinePath } from '../harness/install-peer.ts';
import type { ChildFailure } from '../harness/run-child.ts';
import { sleep } from '../harness/sleep.ts';
import { flood, timed } from './flood.ts';
import type { ProgramClient, ProgramPlace, ServerProgram } from './server-programs.ts';

export interface ProgramLoad {
  readonly startMs: number;
  readonly rssMb: number;
  readonly createMs: number;
  readonly createsPerSecond: number;
  readonly idleKb: number;
  readonly listMs: number;
  readonly promptMs: number;
  readonly promptsPerSecond: number;
}

const patienceMs = 60_000;
const limitMs = 300_000;
const sessions = 1000;

/** `folder` holds its home and its installed packages. */
export async function measureProgram(
  program: ServerProgram,
  given: Omit<ProgramPlace, 'port'>,
): Promise<ProgramLoad | ChildFailure> {
  const place = { ...given, port: await freePort() };
  try {
    await using running = await startProgram(program, place);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`It took longer than ${limitMs / 1000} s.`)), limitMs);
    try {
      return await Promise.race([measureRunning(running, program.client(place)), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  } catch (error) {
    return { failure: String(error).slice(0, 400) };
  }
}

async function measureRunning(running: RunningProgram, client: ProgramClient): Promise<ProgramLoad> {
  const first = await client.create();
  for (let one = 0; one < 10; one += 1) await client.prompt(first);
  await sleep(500);
  const rssMb = running.rssMb();
  const made: string[] = [];
  const create = async () => void made.push(await client.create());
  const { ms: createMs } = await timed(100, create);
  const creating = await flood(sessions - 100, create);
  await sleep(1000);
  const idleKb = ((running.rssMb() - rssMb) * 1024) / made.length;
  const { ms: listMs } = await timed(10, async () => {
    const listed = await client.list();
    if (listed < sessions) throw new Error(`${listed} sessions were listed.`);
  });
  const { ms: promptMs } = await timed(20, () => client.prompt(first));
  const prompting = await flood(128, (lane) => client.prompt(made[lane] ?? first));
  return {
    startMs: running.startMs,
    rssMb,
    createMs,
    createsPerSecond: creating.perSecond,
    idleKb,
    listMs,
    promptMs,
    promptsPerSecond: prompting.perSecond,
  };
}

interface RunningProgram extends AsyncDisposable {
  readonly startMs: number;
  /** Sum of all its processes. */
  rssMb(): number;
}

/** Resolves once it answers. */
export async function startProgram(program: ServerProgram, place: ProgramPlace): Promise<RunningProgram> {
  const { folder, port } = place;
  for (const [name, content] of Object.entries(program.files?.(place) ?? {})) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  const [file = '', ...words] = program.command(place);
  const started = performance.now();
  const child = spawn(file, words, {
    cwd: folder,
    env: {
      // Scripts run on the same Node as ours.
      PATH: [path.dirname(process.execPath), machinePath()].join(path.delimiter),
      HOME: folder,
      XDG_CONFIG_HOME: path.join(folder, '.config'),
      XDG_DATA_HOME: path.join(folder, '.local/share'),
      XDG_CACHE_HOME: path.join(folder, '.cache'),
      XDG_STATE_HOME: path.join(folder, '.local/state'),
      CI: '1',
      NO_COLOR: '1',
      DO_NOT_TRACK: '1',
      ...program.env?.(place),
    },
    stdio: 'ignore',
    // Its own process group, so that none of its processes stays.
    detached: true,
  });
  const gone = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    child.on('close', () => resolve());
  });
  const end = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await gone;
  };
  while (!(await answers(port, program.ready))) {
    if (performance.now() - started > patienceMs || child.exitCode !== null) {
      await end();
      throw new Error(`It did not answer at ${program.ready} within ${patienceMs / 1000} s.`);
    }
    await sleep(10);
  }
  return {
    startMs: performance.now() - started,
    rssMb: () => rssOf(child.pid ?? 0) / 1024,
    [Symbol.asyncDispose]: end,
  };
}

function answers(port: number, at: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = get({ host: '127.0.0.1', port, path: at, agent: false, timeout: 1000 }, (response) => {
      response.resume();
      resolve((response.statusCode ?? 500) < 500);
    });
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(false));
  });
}

/** In kB, of a process and all its descendants. Undefined if the system doesn't report it. */
function rssOf(pid: number): number {
  try {
    const own = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return children.reduce((sum, child) => sum + rssOf(child), own);
  } catch {
    return 0;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
