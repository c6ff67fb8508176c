/**
 * The soak: two served Rondos under the same load, one left running and one killed repeatedly. Measured over time:
 * the first one's memory after a garbage collection, handles, processes and disk; the clients here; and the disk of
 * the second. Afterwards each figure must be flat, and every client must have seen the journal.
 */
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { descendantsOf } from '../descendants.ts';
import { processesWith } from '../running-processes.ts';
import { flatnessOf, type Flatness, type Limit } from './flatness.ts';
import { createSoakWorld, type SoakCounts, type SoakWorld } from './soak-world.ts';

const MB = 1024 * 1024;

/** Measured figures, and how much each may rise in the second half of a run. */
export const measures = {
  rss: { name: 'server, resident', unit: 'MB', limit: { most: 24, part: 0.05 } },
  heap: { name: 'server, heap', unit: 'MB', limit: { most: 3, part: 0.05 } },
  handles: { name: 'server, handles', unit: '', limit: { most: 8, part: 0 } },
  processes: { name: 'processes it started', unit: '', limit: { most: 2, part: 0 } },
  disk: { name: 'disk', unit: 'MB', limit: { most: 2, part: 0.05 } },
  killedDisk: { name: 'disk of the killed server', unit: 'MB', limit: { most: 2, part: 0.05 } },
  // The log is checkpointed at 16 MB and then restarts: a short run only sees it fill.
  log: { name: 'write-ahead log', unit: 'MB', limit: { most: 16, part: 0 } },
  clientHeap: { name: 'clients, heap', unit: 'MB', limit: { most: 3, part: 0.05 } },
} as const satisfies Readonly<Record<string, { name: string; unit: string; limit: Limit }>>;

export type Measure = keyof typeof measures;
export const measureNames = Object.keys(measures) as readonly Measure[];
export type Sample = { readonly seconds: number } & Readonly<Record<Measure, number>>;

export interface SoakResult {
  readonly seed: number;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  readonly counts: SoakCounts;
  readonly flatness: Readonly<Record<Measure, Flatness>>;
  /** Failed checks, as text; empty if all passed. */
  readonly problems: readonly string[];
}

export async function soak(setting: {
  readonly seconds: number;
  readonly seed: number;
  readonly onSample?: (sample: Sample) => void;
}): Promise<SoakResult> {
  const { seconds, seed } = setting;
  await using steady = await createSoakWorld({ seed, isKilled: false });
  await using killed = await createSoakWorld({ seed: seed + 1, isKilled: true });
  const worlds = [steady, killed];
  const samples: Sample[] = [];
  const started = performance.now();
  const elapsed = () => (performance.now() - started) / 1000;
  const broken: string[] = [];
  const running = Promise.all(
    worlds.map((world) =>
      world.run(seconds).catch((error: unknown) => broken.push(`the load broke off: ${String(error)}`)),
    ),
  );
  const every = Math.max(1, seconds / 150) * 1000;
  for (let next = every; next < seconds * 1000; next += every) {
    await Promise.race([sleep(Math.max(0, next - elapsed() * 1000)), running]);
    const sample = await sampleOf(steady, killed, elapsed());
    if (sample === undefined) continue;
    samples.push(sample);
    setting.onSample?.(sample);
  }
  await running;
  const leaked = await leftRunning(worlds);
  const flatness = Object.fromEntries(
    measureNames.map((measure) => {
      const points = samples.map((sample) => ({ seconds: sample.seconds, value: sample[measure] }));
      return [measure, flatnessOf(points, measures[measure].limit)];
    }),
  ) as Record<Measure, Flatness>;
  return {
    seed,
    seconds,
    samples,
    counts: sumOf(worlds.map(({ counts }) => counts)),
    flatness,
    problems: [
      ...worlds.flatMap(({ problems }) => problems),
      ...broken,
      ...leaked,
      ...measureNames.flatMap((measure) => steepness(measure, flatness[measure])),
    ],
  };
}

function steepness(measure: Measure, { level, rise, allowed, isFlat }: Flatness): readonly string[] {
  const { name, unit } = measures[measure];
  const words = (value: number) => `${value.toFixed(1)} ${unit}`.trim();
  if (isFlat) return [];
  return [
    `${name} is not flat: in the second half it rises by ${words(rise)} at a level of ${words(level)}; ${words(allowed)} are allowed`,
  ];
}

async function sampleOf(steady: SoakWorld, killed: SoakWorld, seconds: number): Promise<Sample | undefined> {
  const figures = await steady.server.figures();
  if (figures === undefined) return undefined;
  collect();
  return {
    seconds,
    rss: figures.rss / MB,
    heap: figures.heap / MB,
    handles: figures.handles,
    processes: descendantsOf(figures.pid).length,
    disk: (await bytesIn(steady, (file) => !file.endsWith('-wal'))) / MB,
    killedDisk: (await bytesIn(killed, (file) => !file.endsWith('-wal'))) / MB,
    log: (await bytesIn(steady, (file) => file.endsWith('-wal'))) / MB,
    clientHeap: process.memoryUsage().heapUsed / MB,
  };
}

/** The servers end on request, and none of their processes keeps running. */
async function leftRunning(worlds: readonly SoakWorld[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { server } of worlds) {
    const code = await server.terminate();
    if (code !== 0) left.push(`a server that was told to end answered with code ${code}`);
    const own = await processesWith('HOME', server.home);
    if (own.length > 0) left.push(`${own.length} processes are left running: ${own.join(', ')}`);
  }
  return left;
}

async function bytesIn({ server }: SoakWorld, isMeant: (file: string) => boolean): Promise<number> {
  const data = path.join(server.home, 'data');
  const entries = await readdir(data, { withFileTypes: true, recursive: true }).catch(() => []);
  // Files appear and disappear while they are counted.
  const sizes = entries.map(async (entry) =>
    entry.isFile() && isMeant(entry.name)
      ? lstat(path.join(entry.parentPath, entry.name)).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        )
      : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

let gc: (() => void) | undefined;
function collect(): void {
  if (gc === undefined) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
  }
  gc();
}

function sumOf(all: readonly SoakCounts[]): SoakCounts {
  const total: SoakCounts = { prompts: 0, sessions: 0, kills: 0, disturbances: 0, compared: 0 };
  for (const counts of all)
    for (const key of Object.keys(total) as (keyof SoakCounts)[]) total[key] += counts[key];
  return total;
}
