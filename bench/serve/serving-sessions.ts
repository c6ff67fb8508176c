import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { runChild } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { atLeast, atMost, type Section } from '../harness/section.ts';
import { medianOf } from '../harness/statistics.ts';
import type { ServeLoad, ServerName } from './serve-load.ts';

const root = path.resolve(import.meta.dirname, '../..');
const titles: Readonly<Record<ServerName, string>> = {
  floor: 'floor: node:http and SQLite FULL',
  rondo: 'Rondo',
};
const servers = Object.keys(titles) as readonly ServerName[];

/** F. A server of sessions: its start, and what it is asked for most. */
export async function measureServingSessions(plan: Plan): Promise<Section> {
  const sessions = plan.isQuick ? 2000 : 10_000;
  const results = await runRounds(
    roundsOf(plan, 3),
    new Map(
      servers.map((server) => [
        server,
        () => runChild('serve-load', { server, sessions }, { nodeFlags: ['--expose-gc'] }),
      ]),
    ),
  );
  const median = (server: ServerName, of: keyof ServeLoad) => medianOf(results.of(server).map((one) => one[of]));
  const ratio = (of: keyof ServeLoad) => median('rondo', of) / median('floor', of);
  const starts = await measureStarts(plan.isQuick ? 3 : 7);
  const startMs = medianOf(starts.map(({ ms }) => ms));
  const startMb = medianOf(starts.map(({ mb }) => mb));
  return {
    title: 'F. Servers',
    work:
      `Sessions created one by one and, ${sessions.toLocaleString('en-US')} of them, from 32 clients at once; the heap that an idle one keeps; a list of 1,000; a prompt whose model answers at once, until its end is durable. ` +
      'Server and clients share a process, on both sides. The start is that of `rondo serve` as it is packaged, until it prints its address.',
    tables: [
      {
        title: 'requests',
        head: ['', 'create p50 ms', 'creates/s', 'idle session kB', 'list 1,000 ms', 'prompt p50 ms'],
        rows: servers.map((server) => [
          titles[server],
          median(server, 'createMs'),
          median(server, 'createsPerSecond'),
          median(server, 'idleKb'),
          median(server, 'listMs'),
          median(server, 'promptMs'),
        ]),
      },
      { title: 'start', head: ['', 'ms', 'RSS MB'], rows: [['rondo serve', startMs, startMb]] },
    ],
    figures: [
      atMost('`rondo serve`: start', startMs, 400, { of: 'time', unit: 'ms' }),
      atMost('`rondo serve`: memory', startMb, 130, { of: 'amount', unit: 'MB' }),
      atLeast('sessions created a second, × floor', ratio('createsPerSecond'), 0.5, { of: 'time' }),
      atMost('an idle session', median('rondo', 'idleKb'), 4, { of: 'amount', unit: 'kB' }),
      atMost('list of 1,000 sessions, × floor', ratio('listMs'), 3, { of: 'time' }),
      atMost('prompt and answer, × floor', ratio('promptMs'), 3, { of: 'time' }),
    ],
    waitedShare: results.waitedShare,
    remarks: results.failures,
  };
}

async function measureStarts(times: number): Promise<readonly { readonly ms: number; readonly mb: number }[]> {
  using folder = createScratchFolder();
  const packed = path.join(folder.path, 'package');
  execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), '--package', packed]);
  symlinkSync(path.join(root, 'node_modules'), path.join(packed, 'node_modules'), 'junction');
  const project = path.join(folder.path, 'project');
  mkdirSync(project);
  const starts: { readonly ms: number; readonly mb: number }[] = [];
  for (let one = 0; one < times; one += 1) {
    const started = performance.now();
    const child = spawn(process.execPath, [path.join(packed, 'bin/rondo.cjs'), 'serve', '--port', '0'], {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: folder.path, RONDO_HOME: path.join(folder.path, 'home') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const ms = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, 500));
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    starts.push({ ms, mb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024 });
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  return starts;
}
