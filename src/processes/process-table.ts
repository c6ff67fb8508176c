// The processes of this machine as far as their ends concern us: who started whom, in which group,
// and with which marker in the environment.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** With the pid it names one process for ever, though pids are used again. */
  readonly started: string;
}

/** Variables every child carries, so that it can be found after its parent is gone. */
export interface ProcessMarker {
  readonly session: string;
  readonly effect?: string;
}

export const SESSION_VARIABLE = 'RONDO_SESSION';
export const EFFECT_VARIABLE = 'RONDO_EFFECT';

export interface ProcessTable {
  /** Everything that runs; what has ended and only waits to be collected is left out. */
  list(): readonly ProcessEntry[];
  find(pid: number): ProcessEntry | undefined;
  /** Whether a process was started with `name=value` in its environment. */
  hasVariable(pid: number, name: string, value: string): boolean;
  /** What a variable was when the process was started. */
  variable(pid: number, name: string): string | undefined;
}

export function openProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  return platform === 'linux' ? procTable : readPs();
}

export function isSameProcess(a: ProcessEntry, b: ProcessEntry): boolean {
  return a.pid === b.pid && a.started === b.started;
}

const procTable: ProcessTable = {
  list: () =>
    readdirSync('/proc').flatMap((name) => {
      const entry = /^\d+$/.test(name) ? procEntry(Number(name)) : undefined;
      return entry === undefined ? [] : [entry];
    }),
  find: procEntry,
  hasVariable: (pid, name, value) => `\0${readOrEmpty(`/proc/${pid}/environ`)}\0`.includes(`\0${name}=${value}\0`),
  variable: (pid, name) =>
    readOrEmpty(`/proc/${pid}/environ`)
      .split('\0')
      .find((entry) => entry.startsWith(`${name}=`))
      ?.slice(name.length + 1),
};

// The name of the program stands in parentheses and may itself hold spaces and parentheses.
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
    // It ended meanwhile, or belongs to somebody else.
    return '';
  }
}

// Where there is no /proc. One run of `ps` gives the environment behind the command.
function readPs(): ProcessTable {
  const text = execFileSync('ps', ['axeww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,command='], {
    encoding: 'latin1',
    maxBuffer: 64 * 1024 * 1024,
  });
  const commands = new Map<number, string>();
  const entries = text.split('\n').flatMap((line): readonly ProcessEntry[] => {
    const found = PS_LINE.exec(line);
    if (found === null) return [];
    const [, pid, parent, group, state = '', started = '', command = ''] = found;
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
