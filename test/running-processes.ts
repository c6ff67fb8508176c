import { openProcessTable } from '../src/processes/process-table.ts';

/** Processes that were started with `name=value` in their environment. */
export async function processesWith(name: string, value: string): Promise<readonly number[]> {
  const table = await openProcessTable();
  return table.list().flatMap(({ pid }) => (table.hasVariable(pid, name, value) ? [pid] : []));
}

/** A zombie doesn't count as running. */
export async function isRunning(pid: number): Promise<boolean> {
  return (await openProcessTable()).find(pid) !== undefined;
}
