/** The store checks of `rondo doctor`: the file, its sessions, their owners, leftover processes and disk usage. */
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { StoreAddress } from '../../journal/store-address.ts';
import type { Store } from '../../ports/store.ts';
import { Fault } from '../../kernel/fault.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import { examineSession, mendSession } from '../../upkeep/examine-session.ts';
import { sweepBlobs } from '../../upkeep/sweep-blobs.ts';
import { openStore } from '../../assembly/open-store.ts';
import { openExistingStore, storeAddressOf } from '../open-store.ts';
import { counted } from '../../wording/counted.ts';
import { sizeText } from '../../wording/size.ts';
import { findingOf, type Finding } from './doctor-finding.ts';
import { checkSpace } from './doctor-space.ts';

type Found = Omit<Finding, 'what'>;

interface StoreExamined {
  readonly given: string | undefined;
  /** How many sessions to read in full. */
  readonly most: number;
  readonly isRepairing: boolean;
}

export async function checkStore(config: LoadedConfig, examined: StoreExamined): Promise<readonly Finding[]> {
  let address: StoreAddress;
  try {
    address = storeAddressOf(examined.given, config);
  } catch (error) {
    return [{ what: 'store', health: 'broken', found: (error as Error).message }];
  }
  if (address.type === 'memory') return [{ what: 'store', health: 'good', found: 'in memory: nothing is stored' }];
  if (address.type === 'postgres' || address.type === 'nats') return checkServerStore(address, examined);
  const { path: file } = address;
  const space = await findingOf('space', () => checkSpace(path.dirname(file)));
  return [space, ...(await checkSqlite(address, examined))];
}

async function checkServerStore(
  address: Extract<StoreAddress, { type: 'postgres' | 'nats' }>,
  examined: StoreExamined,
): Promise<readonly Finding[]> {
  const check =
    address.type === 'nats'
      ? (await import('./doctor-nats.ts')).checkNats
      : (await import('./doctor-postgres.ts')).checkServer;
  const { findings, isUsable } = await check(address.url);
  const store = isUsable ? await openExistingStore(address) : undefined;
  if (store === undefined) return findings;
  await using opened = store;
  return [...findings, ...(await checkContent({ store: opened, ...examined }))];
}

async function checkContent(at: Examining): Promise<readonly Finding[]> {
  return [
    await findingOf('sessions', () => checkSessions(at)),
    await findingOf('leases', () => checkOwners(at)),
    await findingOf('processes', () => checkProcesses(at)),
    await findingOf('disk', () => checkDisk(at)),
  ];
}

async function checkSqlite(
  address: Extract<StoreAddress, { type: 'sqlite' }>,
  examined: StoreExamined,
): Promise<readonly Finding[]> {
  const file = address.path;
  const size = (await stat(file).catch(() => undefined))?.size;
  if (size === undefined) {
    return [{ what: 'store', health: 'good', found: `${file} doesn't exist yet; the first session creates it` }];
  }
  const { isRepairing } = examined;
  let salvaged: readonly string[] = [];
  let store: Store | undefined;
  try {
    store = isRepairing ? await openStore(address) : await openExistingStore(address);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const isCut = error.code === 'damaged';
    const finding: Finding = {
      what: 'store',
      health: 'broken',
      found: error.message,
      ...(isCut && { advice: 'rondo doctor --repair recovers everything readable and keeps the damaged file' }),
    };
    if (!isCut || !isRepairing) return [finding];
    const { salvageStore } = await import('../../journal/sqlite/salvage-store.ts');
    salvaged = [await salvageStore(file)];
    store = await openStore(address);
  }
  if (store === undefined) return [];
  await using opened = store;
  const at = { store: opened, ...examined };
  return [
    await findingOf('store', async () => ({
      ...(await checkFile(opened, file)),
      ...(salvaged.length > 0 && { repaired: salvaged }),
    })),
    ...(await checkContent({ ...at, log: `${file}-wal` })),
  ];
}

interface Examining extends StoreExamined {
  readonly store: Store;
  /** A file whose content isn't in the store's file yet. */
  readonly log?: string;
}

async function checkFile({ upkeep }: Store, file: string): Promise<Found> {
  const size = (await stat(file)).size;
  try {
    await access(file, constants.R_OK | constants.W_OK);
    await access(path.dirname(file), constants.W_OK);
  } catch (error) {
    const advice = `make ${file} and its folder readable and writable for you`;
    return { health: 'broken', found: (error as Error).message, advice };
  }
  const problems = await upkeep.problems();
  const [problem] = problems;
  if (problem !== undefined) {
    const advice = `stop everything that uses ${file}, keep a copy, export the readable sessions (rondo export), and import them into a new store`;
    return {
      health: 'broken',
      found: `${file}: ${problem}${problems.length > 1 ? ` and ${problems.length - 1} more` : ''}`,
      advice,
    };
  }
  const writers = await upkeep.writers();
  return {
    health: 'good',
    found: `${file}, ${sizeText(size)}${writers.length === 0 ? '' : `, written by ${writers.join(', ')}`}`,
  };
}

async function checkSessions({ store, most, isRepairing }: Examining): Promise<Found> {
  const all = (await store.upkeep.sessions()).toReversed();
  const looked = all.slice(0, most === Infinity ? all.length : most);
  const wrong: string[] = [];
  const repaired: string[] = [];
  const parts = { store, clock: createSystemClock() };
  for (const session of looked) {
    const examined = await examineSession(store, session);
    for (const problem of examined.problems) {
      const place = 'seq' in problem ? ` at event ${problem.seq}` : '';
      const done = isRepairing ? await mendSession(parts, examined, problem) : undefined;
      if (done === undefined) wrong.push(`${session}: ${problem.type}${place} (${problem.words})`);
      else repaired.push(`${session}: ${done}`);
    }
  }
  const what = `${looked.length} checked${looked.length < all.length ? ', the newest; --full checks all' : ''}`;
  const repairs = repaired.length === 0 ? {} : { repaired };
  if (wrong.length === 0) return { health: 'good', found: `${what}, all valid`, ...repairs };
  const advice = isRepairing
    ? "these can't be repaired here: records of a newer Rondo need that version, and a session of another process must wait for it; export an invalid session (rondo export), or fork it at an earlier event (rondo fork --at)"
    : 'damaged sessions open up to the damage; rondo doctor --repair repairs them and keeps the replaced data';
  return { health: 'broken', found: `${what}; ${wrong.join('; ')}`, advice, ...repairs };
}

async function checkOwners({ store: { upkeep } }: Examining): Promise<Found> {
  const owners = await upkeep.owners();
  const living = owners.filter(({ isGone, owner }) => !isGone && owner.pid !== process.pid);
  const held = living.reduce((sum, { sessions }) => sum + sessions, 0);
  const dead = owners
    .filter(({ isGone }) => isGone)
    .map(
      ({ owner, sessions }) =>
        `; process ${owner.pid} died with ${counted(sessions, 'session')}, free to take over`,
    );
  const others = living.length === 1 ? '1 other process holds' : `${living.length} other processes hold`;
  return { health: 'good', found: `${others} ${counted(held, 'session')}${dead.join('')}` };
}

/** Child processes of sessions without an owner. */
async function checkProcesses({ store, isRepairing }: Examining): Promise<Found> {
  const { findOrphans, endOrphans } = await import('../../assembly/sessions/orphans.ts');
  const orphans = await findOrphans(store);
  if (orphans.length === 0) return { health: 'good', found: 'no leftover processes' };
  const words = orphans.map(({ session, pids }) => `${session}: ${pids.join(', ')}`);
  if (!isRepairing) {
    return {
      health: 'missing',
      found: `left running by ${words.join('; ')}`,
      advice: 'rondo doctor --repair ends them',
    };
  }
  await endOrphans(orphans);
  return {
    health: 'good',
    found: 'no leftover processes',
    repaired: words.map((one) => `ended the leftovers of ${one}`),
  };
}

const largestShown = 3;

async function checkDisk({ store, isRepairing, log }: Examining): Promise<Found> {
  const sizes = await store.upkeep.sizes();
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a).slice(0, largestShown);
  const waiting = log === undefined ? undefined : ((await stat(log).catch(() => undefined))?.size ?? 0);
  let blobs = 0;
  let bytes = 0;
  for await (const { size } of store.blobs.list()) {
    blobs += 1;
    bytes += size;
  }
  const unused = await sweepBlobs(store, { now: Date.now(), isDry: !isRepairing });
  const list = largest.map(([session, size]) => `${session} ${sizeText(size)}`).join(', ');
  const words = `${sizes.size} sessions, ${blobs} blobs ${sizeText(bytes)}${waiting === undefined ? '' : `, log ${sizeText(waiting)}`}${list === '' ? '' : `; largest: ${list}`}`;
  if (unused.blobs === 0) return { health: 'good', found: words };
  const left = `${unused.blobs} unreferenced blobs (${sizeText(unused.bytes)})`;
  if (isRepairing) return { health: 'good', found: words, repaired: [`removed ${left}`] };
  return {
    health: 'good',
    found: `${words}; ${left}`,
    advice: 'rondo prune or rondo doctor --repair removes them',
  };
}
