// Ends whole process trees.
//
// 1. A tree is its group, everything marked for it, and every descendant of those; what was once
//    seen in it stays in it, also when its parent is gone.
// 2. First SIGTERM, and SIGKILL for what is left after the grace; new members are looked for until
//    none is found.
// 3. A pid is signalled only while its start time is the one that was seen; this process and its
//    ancestors never are.
import { setTimeout as sleep } from 'node:timers/promises';

import {
  eachInTurn,
  epochOf,
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
  /** False where the process was still there at the end, which only the kernel can cause. */
  readonly gone: boolean;
}

export interface Marked {
  readonly session: string;
  /** Only what was started under an older epoch than this one. Default: whatever carries the session. */
  readonly below?: number;
}

/** Ends what is left running of a session, wherever it went. */
export function killMarked(
  { session, below = Infinity }: Marked,
  options: KillOptions = {},
): Promise<readonly KilledProcess[]> {
  return killAll(
    (table, { pid }) => table.hasVariable(pid, SESSION_VARIABLE, session) && epochOf(table, pid) < below,
    openProcessTable,
    options,
  );
}

export interface Tree {
  readonly group: number;
  readonly mark: string;
  /** How long ago its first process was started. */
  readonly ageMs: number;
}

/** Ends a process group and all that came out of it. The mark finds what left the group. */
export function killTree(
  { group, mark, ageMs }: Tree,
  options: KillOptions = {},
): Promise<readonly KilledProcess[]> {
  // In a short time pids can't go round, so that whatever came out of the group has a higher one than it.
  const isYoung = ageMs < YOUNG;
  return killAll(
    (table, { pid, group: of }) => of === group || table.hasVariable(pid, KEEPER_VARIABLE, mark),
    () => openProcessTable(isYoung ? { after: group } : {}),
    options,
  );
}

export interface KillOptions {
  /** How long SIGTERM may take before SIGKILL follows. */
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
  const known = new Set<string>();
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    const members = await membersOf(await open(), belongs, known);
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
  known: Set<string>,
): Promise<readonly ProcessEntry[]> {
  const all = table.list();
  const byPid = new Map(all.map((entry) => [entry.pid, entry]));
  const spared = ancestry(process.pid, byPid);
  const members = new Map<number, ProcessEntry>();
  await eachInTurn(all, (entry) => {
    if (known.has(identityOf(entry)) || belongs(table, entry)) members.set(entry.pid, entry);
  });
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const entry of all) if (members.has(entry.parent)) members.set(entry.pid, entry);
  }
  const found = [...members.values()].filter(({ pid }) => !spared.has(pid));
  for (const entry of found) known.add(identityOf(entry));
  return found;
}

function ancestry(from: number, byPid: ReadonlyMap<number, ProcessEntry>): ReadonlySet<number> {
  const line = new Set<number>();
  for (let pid = from; pid > 0 && !line.has(pid); pid = byPid.get(pid)?.parent ?? 0) line.add(pid);
  return line;
}

function send(entry: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (!isStillThere(entry)) return false;
  try {
    process.kill(entry.pid, signal);
    // A stopped process sees SIGTERM only once it goes on.
    if (signal === 'SIGTERM') process.kill(entry.pid, 'SIGCONT');
    return true;
  } catch {
    return false;
  }
}

function identityOf(entry: ProcessEntry): string {
  return `${entry.pid}/${entry.started}`;
}
