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
  EFFECT_VARIABLE,
  isSameProcess,
  openProcessTable,
  type ProcessEntry,
  type ProcessMarker,
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

export type MarkedFor = { readonly session: string } | { readonly effect: string };

/** Ends what a crash left behind of a session or of one effect, wherever it went. */
export function killMarked(marked: MarkedFor, options: KillOptions = {}): Promise<readonly KilledProcess[]> {
  const [name, value] = 'effect' in marked ? [EFFECT_VARIABLE, marked.effect] : [SESSION_VARIABLE, marked.session];
  return killAll((table, entry) => table.hasVariable(entry.pid, name, value), options);
}

/** Ends a process group and all that came out of it. The marker finds what left the group. */
export function killTree(
  tree: { readonly group: number; readonly marker: ProcessMarker },
  options: KillOptions = {},
): Promise<readonly KilledProcess[]> {
  const { effect } = tree.marker;
  return killAll(
    (table, entry) =>
      entry.group === tree.group ||
      (effect !== undefined && table.hasVariable(entry.pid, EFFECT_VARIABLE, effect)),
    options,
  );
}

export interface KillOptions {
  /** How long SIGTERM may take before SIGKILL follows. */
  readonly graceMs?: number;
}

const DEFAULT_GRACE = 2_000;
const AFTER_KILL = 2_000;

type Belongs = (table: ProcessTable, entry: ProcessEntry) => boolean;

async function killAll(belongs: Belongs, options: KillOptions): Promise<readonly KilledProcess[]> {
  const graceEnds = performance.now() + (options.graceMs ?? DEFAULT_GRACE);
  const giveUp = graceEnds + AFTER_KILL;
  const killed = new Map<string, KilledProcess>();
  const known = new Set<string>();
  for (let pause = 5; ; pause = Math.min(pause * 2, 50)) {
    const members = membersOf(openProcessTable(), belongs, known);
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

function membersOf(table: ProcessTable, belongs: Belongs, known: Set<string>): readonly ProcessEntry[] {
  const all = table.list();
  const byPid = new Map(all.map((entry) => [entry.pid, entry]));
  const spared = ancestry(process.pid, byPid);
  const within = (entry: ProcessEntry): boolean => known.has(identityOf(entry)) || belongs(table, entry);
  const members = new Map(all.filter(within).map((entry) => [entry.pid, entry]));
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
  const current = openProcessTable().find(entry.pid);
  if (current === undefined || !isSameProcess(current, entry)) return false;
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
