import { openProcessTable } from '../../src/processes/process-table.ts';

/** All processes with this home, whoever started them. */
export function processesAt(home: string): Promise<readonly number[]> {
  return processesWith('HOME', (value) => value === home);
}

export async function processesWith(
  variable: string,
  isWanted: (value: string | undefined) => boolean,
): Promise<readonly number[]> {
  const table = await openProcessTable();
  return table.list().flatMap(({ pid }) => (isWanted(table.variable(pid, variable)) ? [pid] : []));
}
