import { spawnSync } from 'node:child_process';

import { keeper } from '../src/processes/keeper.ts';

/**
 * All running descendants of a process, except this process's keeper, which stays a while and ends with it.
 * Synchronous, because the last call happens while the process exits.
 */
export function descendantsOf(pid: number): readonly number[] {
  const { stdout, pid: ps } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' });
  const all = stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([child, , state = 'Z']) => !state.startsWith('Z') && Number(child) !== ps && Number(child) !== keeper.pid,
    )
    .map(([child, parent]) => ({ child: Number(child), parent: Number(parent) }));
  const found: number[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent)).map(({ child }) => child);
    found.push(...children);
    parents = new Set(children);
  }
  return found;
}

/** Kills all descendants and returns their pids. */
export function endDescendants(pid: number): readonly number[] {
  const pids = descendantsOf(pid);
  for (const one of pids) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  return pids;
}
