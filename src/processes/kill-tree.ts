// Ends whole process trees.
//
// 1. A tree is its group, every process marked for it, and all their descendants. A process once seen in the tree
//    stays in it, even after its parent exits.
// 2. Sends SIGTERM first, then SIGKILL to processes left after the grace period. Searches for new members until
//    none is found.
// 3. Signals a pid only while its start time matches the recorded one. Never signals this process or its ancestors.
import { setTimeout as sleep } from 'node:timers/promises';

import {
  createSharedTable,
  eachInTurn,
  markedEpoch,
  isStillThere,
  KEEPER_VARIABLE,
  openProcessTable,
  type ProcessEntry,
  type ProcessTable,
  SESSION_VARIABLE,
} from './process-table.ts';

export interface KilledProcess {
  readonly pid: number;
  readonly started: string;
  readonly signal: 'SIGTERM' | 'SIGKILL';
  /** False if the process still existed at the end: it waits in the kernel, or belongs to another user. */
  readonly gone: boolean;
}

export interface Marked {
  readonly session: string;
  /** Only processes started under an older epoch. Default: every process that carries the session. */
  readonly below?: number;
}

/** Ends all remaining processes of a session, including detached ones. */
export function killMarked(
  { session, below = Infinity }: Marked,
  options: KillOptions = {},
): Promise<readonly KilledProcess[]> {
  return killAll(
    (table, { pid }) => table.hasVariable(pid, SESSION_VARIABLE, session) && markedEpoch(table, pid) < below,
    sharedTable,
    options,
  );
}

const sharedTable = createSharedTable(openProcessTable);

export interface Tree {
  readonly group: number;
  readonly mark: string;
  /** Milliseconds since its first process started. */
  readonly ageMs: number;
}

/** Ends a process group and all its descendants. The mark finds processes that left the group. */
export function killTree(
  { group, mark, ageMs }: Tree,
  options: KillOptions = {},
): Promise<readonly KilledProcess[]> {
  // Pids can't wrap around in a short time, so every descendant of the group has a higher pid.
  const isYoung = ageMs < YOUNG;
  return killAll(
    (table, { pid, group: of }) => of === group || table.hasVariable(pid, KEEPER_VARIABLE, mark),
    () => openProcessTable(isYoung ? { after: group } : {}),
    options,
  );
}

export interface KillOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

const DEFAULT_GRACE = 2_000;
const AFTER_KILL = 2_000;
const YOUNG = 5_000;

type Belongs = (table: ProcessTable, entry: ProcessEntry) => boolean;

async function killAll(
  belongs: Belongs,
  open: () => Promise<ProcessTable>,
  options: KillOptions,
): Promise<readonly KilledProcess[]> {
  const graceEnds = performance.now() + (options.graceMs ?? DEFAULT_GRACE);
  const giveUp = graceEnds + AFTER_KILL;
  const killed = new Map<string, KilledProcess>();
  const starts = new Set<string>();
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    const members = await membersOf(await open(), belongs, starts);
    const now = performance.now();
    for (const entry of members) {
      const signal = now < graceEnds ? 'SIGTERM' : 'SIGKILL';
      const id = identityOf(entry);
      if (killed.get(id)?.signal === signal) continue;
      if (send(entry, signal)) killed.set(id, { pid: entry.pid, started: entry.started, signal, gone: false });
    }
    if (members.length === 0 || now > giveUp) {
      const left = new Set(members.map(identityOf));
      return [...killed].map(([id, { pid, started, signal }]) => ({ pid, started, signal, gone: !left.has(id) }));
    }
    await sleep(pause);
  }
}

async function membersOf(
  table: ProcessTable,
  belongs: Belongs,
  starts: Set<string>,
): Promise<readonly ProcessEntry[]> {
  const all = table.list();
  const byPid = new Map(all.map((entry) => [entry.pid, entry]));
  const spared = ancestry(process.pid, byPid);
  const members = new Map<number, ProcessEntry>();
  await eachInTurn(all, (entry) => {
    if (starts.has(identityOf(entry)) || belongs(table, entry)) members.set(entry.pid, entry);
  });
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const entry of all) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  const survivors = [...members.values()].filter(({ pid }) => !spared.has(pid));
  for (const entry of survivors) starts.add(identityOf(entry));
  return survivors;
}

function ancestry(from: number, byPid: ReadonlyMap<number, ProcessEntry>): ReadonlySet<number> {
  const line = new Set<number>();
  for (let pid = from; pid > 0 && !line.has(pid); pid = byPid.get(pid)?.parent ?? 0) line.add(pid);
  return line;
}

/** False if it has ended. */
function send(entry: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (!isStillThere(entry)) return false;
  try {
    process.kill(entry.pid, signal);
    // A stopped process handles SIGTERM only after it continues.
    if (signal === 'SIGTERM') process.kill(entry.pid, 'SIGCONT');
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function identityOf(entry: ProcessEntry): string {
  return `${entry.pid}/${entry.started}`;
}
