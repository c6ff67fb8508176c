/**
 * Detects whether a process runs inside a session: it or one of its ancestors was started with the session's
 * marker. A command that runs for an agent must not answer for the user (S19).
 *
 * 1. A process can drop its own marker, but it can't change its ancestors' environment.
 * 2. A process that detaches from its ancestors keeps the limits that Rondo sets on session commands. Without root,
 *    a process can lower a hard limit but never raise it.
 * 3. Without /proc, only this process's own environment is known.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';

import { SESSION_VARIABLE } from './process-table.ts';

/** The session around this process. Undefined if the user started it. */
export function sessionAroundSelf(): string | undefined {
  const own = process.env[SESSION_VARIABLE];
  if (own !== undefined && own !== '') return own;
  return process.platform === 'linux' ? sessionAround(process.pid) : undefined;
}

/**
 * True if a person's choices reach this process: nobody's session runs it, or a Rondo that is itself outside of every
 * session started it as a hosted agent and forwards its questions (S19). A program that detached from an agent has
 * no such parent.
 */
export function speaksForPerson(): boolean {
  if (sessionAroundSelf() === undefined) return true;
  if (process.platform !== 'linux') return true;
  const { ppid } = process;
  return ppid > 1 && sessionAround(ppid) === undefined && programOf(ppid) === programOf(process.pid);
}

function programOf(pid: number): string | undefined {
  try {
    return path.basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return undefined;
  }
}

const mostAncestors = 64;

function sessionAround(pid: number): string | undefined {
  let at = pid;
  for (let climbed = 0; at > 1 && climbed < mostAncestors; climbed += 1) {
    const session = markerOf(at);
    if (session !== undefined && session !== '') return session;
    at = parentOf(at);
  }
  return isLimited(pid) ? UNKNOWN_SESSION : undefined;
}

/** For a process that belongs to a session that can't be identified. */
export const UNKNOWN_SESSION = 'unknown';

/** The hard limit on file size for session commands: an odd number that no other program sets. */
export const SESSION_FILE_LIMIT = 16 * 1024 ** 3 + 19;

function isLimited(pid: number): boolean {
  const limit = fileLimitOf(pid);
  // A limit on the whole machine or container proves nothing.
  return limit !== undefined && limit <= SESSION_FILE_LIMIT && limit !== fileLimitOf(1);
}

/** Undefined if there is no limit. */
function fileLimitOf(pid: number): number | undefined {
  const [, hard] = /^Max file size\s+\S+\s+(\d+)/m.exec(readOrEmpty(`/proc/${pid}/limits`)) ?? [];
  return hard === undefined ? undefined : Number(hard);
}

function markerOf(pid: number): string | undefined {
  const entries = readOrEmpty(`/proc/${pid}/environ`).split('\0');
  return entries.find((entry) => entry.startsWith(`${SESSION_VARIABLE}=`))?.slice(SESSION_VARIABLE.length + 1);
}

/** The program's name is in parentheses and may itself contain spaces and parentheses. */
function parentOf(pid: number): number {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

interface SocketPorts {
  readonly remotePort?: number | undefined;
  readonly localPort?: number | undefined;
}

/** The session around the process at the other end of a local connection. Linux only. */
export function sessionOfPeer({ remotePort, localPort }: SocketPorts): string | undefined {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return undefined;
  const socket = socketBetween(remotePort, localPort);
  if (socket === undefined) return undefined;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const session = Number.isInteger(pid) ? sessionAround(pid) : undefined;
    if (session !== undefined && holds(pid, socket)) return session;
  }
  return undefined;
}

/** The peer's end of the connection, as `socket:[inode]`. */
function socketBetween(local: number, remote: number): string | undefined {
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readOrEmpty(file).split('\n').slice(1)) {
      const [, from = '', to = '', , , , , , , inode] = line.trim().split(/\s+/);
      if (portOf(from) === local && portOf(to) === remote && inode !== undefined) return `socket:[${inode}]`;
    }
  }
  return undefined;
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
}

function holds(pid: number, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === socket;
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
