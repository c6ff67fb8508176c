import { openProcessTable, type ProcessEntry } from '../src/processes/process-table.ts';

/** All that a process started and that runs, with what those started. */
export function descendantsOf(pid: number): readonly ProcessEntry[] {
  const all = openProcessTable().list();
  const found: ProcessEntry[] = [];
  for (let parents = new Set([pid]); parents.size > 0;) {
    const children = all.filter(({ parent }) => parents.has(parent));
    found.push(...children);
    parents = new Set(children.map((child) => child.pid));
  }
  return found;
}

/** Kills them; who it was. */
export function endDescendants(pid: number): readonly number[] {
  const pids = descendantsOf(pid).map((one) => one.pid);
  for (const one of pids) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
  return pids;
}
