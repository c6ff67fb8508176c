/** The packaged `rondo serve`, and other servers on request. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { startFakeProvider } from '../harness/fake-provider.ts';
import { createRondo } from '../../src/rondo.ts';
import { installPeer } from '../harness/install-peer.ts';
import { roundsOf, type Plan } from '../harness/plan.ts';
import { runRounds } from '../harness/rounds.ts';
import { isFailure, type ChildFailure } from '../harness/run-child.ts';
import { createScratchFolder } from '../harness/scratch-folder.ts';
import { sleep } from '../harness/sleep.ts';
import { medianOf } from '../harness/statistics.ts';
import type { Table } from '../harness/markdown.ts';
import { createAsking } from './asking.ts';
import { timed } from './flood.ts';
import { freePort, measureProgram, startProgram, type ProgramLoad } from './program-load.ts';
import { answer, serverPrograms, type ProgramName, type ServerProgram } from './server-programs.ts';

const root = path.resolve(import.meta.dirname, '../..');

interface ServedPrograms {
  readonly table: Table;
  readonly full: FullStore;
  readonly startMs: number;
  readonly rssMb: number;
  readonly remarks: readonly string[];
}

/** What a store of many idle sessions costs a server. */
interface FullStore {
  readonly startMs: number;
  readonly kbEach: number;
  readonly pageMs: number;
  readonly walkMs: number;
}

export async function measureServingPrograms(plan: Plan): Promise<ServedPrograms> {
  using folder = createScratchFolder();
  const packed = path.join(folder.path, 'package');
  execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), '--package', packed]);
  symlinkSync(path.join(root, 'node_modules'), path.join(packed, 'node_modules'), 'junction');
  await using provider = await startFakeProvider('--text', answer);
  const remarks: string[] = [];
  const jobs = new Map<
    ProgramName,
    () => Promise<(ProgramLoad & { readonly waitedShare: null }) | ChildFailure>
  >();
  const names = Object.keys(serverPrograms) as readonly ProgramName[];
  let made = 0;
  for (const name of plan.withPeers ? names : (['rondo'] as const)) {
    const program: ServerProgram = serverPrograms[name];
    const installed =
      program.peer === undefined ? { folder: undefined } : await installPeer(program.peer.name, program.peer);
    if (isFailure(installed)) {
      remarks.push(`${program.title} is skipped: ${installed.failure}`);
      continue;
    }
    jobs.set(name, async () => {
      made += 1;
      const place = placeFor(path.join(folder.path, `${name}-${made}`), packed, installed.folder);
      const load = await measureProgram(program, { folder: place, provider: provider.url });
      rmSync(place, { recursive: true, force: true });
      return isFailure(load) ? load : { ...load, waitedShare: null };
    });
  }
  const results = await runRounds(roundsOf(plan, 3), jobs);
  const median = (name: ProgramName, of: keyof ProgramLoad) => medianOf(results.of(name).map((one) => one[of]));
  const full = await measureFullStore(placeFor(path.join(folder.path, 'full'), packed, undefined), provider.url);
  return {
    table: {
      title: 'programs',
      head: [
        '',
        'start ms',
        'RSS MB',
        'create p50 ms',
        'creates/s',
        'idle session kB RSS',
        'list 1,000 ms',
        'prompt p50 ms',
        'prompts/s',
      ],
      rows: [...jobs.keys()].map((name) => [
        serverPrograms[name].title,
        median(name, 'startMs'),
        median(name, 'rssMb'),
        median(name, 'createMs'),
        median(name, 'createsPerSecond'),
        median(name, 'idleKb'),
        median(name, 'listMs'),
        median(name, 'promptMs'),
        median(name, 'promptsPerSecond'),
      ]),
    },
    full,
    startMs: median('rondo', 'startMs'),
    rssMb: median('rondo', 'rssMb'),
    remarks: [...remarks, ...results.failures],
  };
}

/** A home and a project with our package and what npm installed. */
function placeFor(folder: string, packed: string, installed: string | undefined): string {
  mkdirSync(folder);
  symlinkSync(packed, path.join(folder, 'package'), 'junction');
  if (installed !== undefined)
    symlinkSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  return folder;
}

export const idleSessions = 10_000;

async function measureFullStore(folder: string, provider: string): Promise<FullStore> {
  const home = path.join(folder, 'rondo-home');
  mkdirSync(home);
  const program: ServerProgram = serverPrograms.rondo;
  const place = async () => ({ folder, provider, port: await freePort() });
  const empty = await restingMb(program, await place());
  {
    await using rondo = await createRondo({
      store: `sqlite:${path.join(home, 'rondo.db')}`,
      agents: { assistant: {} },
      hibernateAfterMs: 500,
    });
    for (let from = 0; from < idleSessions; from += 500) {
      const sessions = await Promise.all(
        Array.from({ length: 500 }, () => rondo.sessions.create({ title: 'Idle' })),
      );
      await Promise.all(sessions.map((session) => session.persist()));
    }
  }
  const starts: number[] = [];
  for (let one = 0; one < 2; one += 1) {
    await using started = await startProgram(program, await place());
    starts.push(started.startMs);
  }
  const at = await place();
  await using running = await startProgram(program, at);
  starts.push(running.startMs);
  await sleep(1000);
  const token = readFileSync(path.join(home, 'token'), 'utf8').trim();
  const url = `http://127.0.0.1:${at.port}/api/v1`;
  const ask = createAsking({ url, headers: { authorization: `Bearer ${token}` } });
  const { ms: pageMs } = await timed(20, () => ask('GET', '/sessions?limit=50'));
  let seen = 0;
  const { ms: walkMs } = await timed(3, async () => {
    seen = 0;
    let cursor = '';
    do {
      const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page = JSON.parse(await ask('GET', `/sessions?limit=1000${more}`)) as {
        readonly entries: readonly unknown[];
        readonly cursor?: string;
      };
      seen += page.entries.length;
      cursor = page.cursor ?? '';
    } while (cursor !== '');
  });
  if (seen !== idleSessions) throw new Error(`${seen} of ${idleSessions} sessions were listed.`);
  return { startMs: medianOf(starts), kbEach: ((running.rssMb() - empty) * 1024) / idleSessions, pageMs, walkMs };
}

async function restingMb(program: ServerProgram, place: Parameters<typeof startProgram>[1]): Promise<number> {
  await using running = await startProgram(program, place);
  await sleep(1000);
  return running.rssMb();
}
