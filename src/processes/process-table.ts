// The processes of this machine, with what is needed to end them: parent, group, and the marker in the environment.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { setImmediate as breathe } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** With the pid, identifies one process forever, although pids are reused. */
  readonly started: string;
}

/** Variables that every child carries, so that Rondo can find it after its parent exits. */
export interface ProcessMarker {
  readonly session: string;
  /**
   * The epoch of the claim under which the process started. 0 before the first claim. Clean-up ends older epochs
   * only.
   */
  readonly epoch: number;
  readonly effect?: string;
}

export const SESSION_VARIABLE = 'RONDO_SESSION';
export const EPOCH_VARIABLE = 'RONDO_EPOCH';
export const EFFECT_VARIABLE = 'RONDO_EFFECT';
/**
 * Identifies one tree. All children of one process share its prefix, and the process's keeper ends all that carry
 * it.
 */
export const KEEPER_VARIABLE = 'RONDO_KEEPER';

/** A snapshot of the running processes. */
export interface ProcessTable {
  /** Excludes zombies. */
  list(): readonly ProcessEntry[];
  find(pid: number): ProcessEntry | undefined;
  /** True if the process was started with `name=value` in its environment. */
  hasVariable(pid: number, name: string, value: string): boolean;
  /** The initial value of an environment variable. */
  variable(pid: number, name: string): string | undefined;
}

interface TableOptions {
  /** Only processes started after this one, on systems that report it. Elsewhere, all processes. */
  readonly after?: number;
  readonly platform?: NodeJS.Platform;
}

/** Reads the table in small batches, so that it doesn't block other work. */
export function openProcessTable(options: TableOptions = {}): Promise<ProcessTable> {
  return (options.platform ?? process.platform) === 'linux' ? readProc(options.after) : readPs();
}

/**
 * A table that is read after the call. Calls that wait for it share it: a process that takes a thousand sessions over
 * reads a few tables, not a thousand.
 */
export function createSharedTable(open: () => Promise<ProcessTable>): () => Promise<ProcessTable> {
  let reading: Promise<unknown> = Promise.resolve();
  let next: Promise<ProcessTable> | undefined;
  return () =>
    (next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        const table = open();
        reading = table;
        return table;
      }));
}

/** The epoch in a process's marker. Children of earlier releases carry none and count as older than any. */
export function markedEpoch(table: ProcessTable, pid: number): number {
  const epoch = Number(table.variable(pid, EPOCH_VARIABLE) ?? 0);
  return Number.isSafeInteger(epoch) ? epoch : 0;
}

/** True if the process still runs and its pid hasn't been reused. */
export function isStillThere(entry: ProcessEntry, platform: NodeJS.Platform = process.platform): boolean {
  // On platforms where a check costs a run of `ps`, the table just read is enough.
  if (platform !== 'linux') return true;
  return procEntry(entry.pid)?.started === entry.started;
}

/** Calls `work` for each item and yields to the event loop in between. */
export async function eachInTurn<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    work(item);
  }
}

const AT_ONCE = 16;

async function readProc(after: number | undefined): Promise<ProcessTable> {
  const pids = (await readdir('/proc')).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const entries = new Map<number, ProcessEntry>();
  const isWanted = after === undefined || newestPid() < after ? () => true : (pid: number) => pid >= after;
  await eachInTurn(pids.filter(isWanted), (pid) => {
    const entry = procEntry(pid);
    if (entry !== undefined) entries.set(pid, entry);
  });
  const environments = new Map<number, string>();
  const environment = (pid: number) => {
    const read = environments.get(pid) ?? `\0${readOrEmpty(`/proc/${pid}/environ`)}\0`;
    environments.set(pid, read);
    return read;
  };
  return {
    list: () => [...entries.values()],
    find: (pid) => entries.get(pid),
    hasVariable: (pid, name, value) => environment(pid).includes(`\0${name}=${value}\0`),
    variable: (pid, name) =>
      environment(pid)
        .split('\0')
        .find((entry) => entry.startsWith(`${name}=`))
        ?.slice(name.length + 1),
  };
}

// Pids are assigned in order and wrap around at the maximum. A newest pid below an older one means they wrapped.
function newestPid(): number {
  return Number(readOrEmpty('/proc/loadavg').trim().split(' ').at(-1) ?? 0);
}

// The program's name is in parentheses and may itself contain spaces and parentheses.
function procEntry(pid: number): ProcessEntry | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  const started = fields[19];
  if (parent === undefined || group === undefined || started === undefined) return undefined;
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group), started };
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended or belongs to another user.
    return '';
  }
}

// For systems without /proc. One run of `ps` prints the environment after the command.
async function readPs(): Promise<ProcessTable> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='], {
    encoding: 'latin1',
    maxBuffer: 64 * 1024 * 1024,
  });
  const commands = new Map<number, string>();
  const entries = stdout.split('\n').flatMap((line): readonly ProcessEntry[] => {
    const match = PS_LINE.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = '', started = '', command = ''] = match;
    if (state.startsWith('Z')) return [];
    commands.set(Number(pid), command);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), started }];
  });
  return {
    list: () => entries,
    find: (pid) => entries.find((entry) => entry.pid === pid),
    hasVariable: (pid, name, value) => ` ${commands.get(pid) ?? ''} `.includes(` ${name}=${value} `),
    variable: (pid, name) =>
      (commands.get(pid) ?? '')
        .split(' ')
        .find((word) => word.startsWith(`${name}=`))
        ?.slice(name.length + 1),
  };
}

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/;
