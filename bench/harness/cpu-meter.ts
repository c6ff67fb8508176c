/**
 * Rate and processor time of repeated work, in this process and in a server with its child processes. Processor time is
 * meaningful on a busy machine, too.
 */
import { readFileSync, readdirSync } from 'node:fs';

export interface Metered {
  readonly perSecond: number;
  readonly count: number;
  /** Of this process, for one. */
  readonly cpuUs: number;
  /** Of the server, for one. NaN without a server, or if the system doesn't report it. */
  readonly serverUs: number | null;
}

interface CpuMeter {
  per(count: number): Metered;
}

export function startCpuMeter(serverPid?: number): CpuMeter {
  const started = performance.now();
  const before = process.cpuUsage();
  const serverBefore = serverPid === undefined ? undefined : cpuMsOf(serverPid);
  return {
    per(count) {
      const elapsed = performance.now() - started;
      const { user, system } = process.cpuUsage(before);
      const server = serverPid === undefined ? undefined : cpuMsOf(serverPid);
      return {
        perSecond: (count * 1000) / elapsed,
        count,
        cpuUs: (user + system) / count,
        serverUs:
          server === undefined || serverBefore === undefined ? null : ((server - serverBefore) * 1000) / count,
      };
    },
  };
}

const tickMs = 10;

/** A process and its children: each connection of PostgreSQL is one. */
export function cpuMsOf(pid: number): number | undefined {
  let ticks = 0;
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      const fields = statOf(entry);
      const isServer = Number(entry) === pid;
      if (!isServer && Number(fields[1]) !== pid) continue;
      // With the children that ended.
      const counted = isServer ? fields.slice(11, 15) : fields.slice(11, 13);
      for (const one of counted) ticks += Number(one);
    }
  } catch {
    return undefined;
  }
  return ticks * tickMs;
}

/** The fields behind the program's name, which may contain spaces. */
function statOf(pid: string): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
