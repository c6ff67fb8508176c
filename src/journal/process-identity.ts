/**
 * Identifies this process and checks whether another one still runs. A pid is reused eventually, but together with
 * its start time and boot it identifies one process.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

import type { Owner } from '../ports/lease.ts';

export type ProcessIdentity = Omit<Owner, 'id'>;

/** This process's identity, as others can check it. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startedAt: ownStart(), bootId: bootId(), host: os.hostname() };
}

/** True only if this is certain: same machine, same boot, and no such process. */
export function isDead(other: ProcessIdentity, self: ProcessIdentity): boolean {
  return isSameMachine(other, self) && !isRunning(other);
}

export function isSameMachine(other: ProcessIdentity, self: ProcessIdentity): boolean {
  return other.host === self.host && other.bootId === self.bootId;
}

function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (process.platform === 'linux') {
    const stat = statOf(pid);
    // The system may hide processes of other users (hidepid): such a one exists, and more isn't certain.
    return stat === undefined ? exists(pid) : startIn(stat) === startedAt;
  }
  if (!exists(pid)) return false;
  if (process.platform === 'win32') return true;
  const seconds = startSeconds(pid);
  // Two clocks, one of them in whole seconds, so close values count as equal.
  return seconds === undefined || Math.abs(seconds - Number(startedAt)) <= 3;
}

function ownStart(): string {
  if (process.platform === 'linux') return startIn(statOf(process.pid) ?? '') ?? '';
  return String(Math.round(performance.timeOrigin / 1000));
}

const statOf = (pid: number) => readOrUndefined(`/proc/${pid}/stat`);

/** Field 22: clock ticks since boot. A zombie is dead. */
function startIn(stat: string): string | undefined {
  // The command in field 2 may contain spaces and brackets, so count from its end.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

function startSeconds(pid: number): number | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const time = Date.parse(started.trim());
    return Number.isNaN(time) ? undefined : time / 1000;
  } catch {
    return undefined;
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** One boot of one machine and one pid namespace: processes in different containers don't see each other. */
function bootId(): string {
  const boot = readOrUndefined('/proc/sys/kernel/random/boot_id')?.trim();
  // Otherwise the boot time, coarse enough to survive clock adjustments.
  if (boot === undefined) return `since ${Math.round((Date.now() / 1000 - os.uptime()) / 60)}`;
  try {
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return boot;
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
