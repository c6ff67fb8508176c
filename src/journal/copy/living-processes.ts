import { setTimeout as sleep } from 'node:timers/promises';

import { isDead, isSameMachine, ownIdentity } from '../process-identity.ts';
import { ownerOf, type ProcessRow } from '../process-row.ts';

interface LivingProcessesParts {
  readonly all: () => Promise<readonly ProcessRow[]>;
  readonly leaseMs: number;
  /** The copy's own row. */
  readonly self: string;
}

/**
 * The processes that may still use a store, as text. No clocks are compared (O5): a process on another machine is gone
 * if it doesn't renew its lease for as long as one lasts. A look waits that long, once for each such process.
 */
export function createLivingProcesses({
  all,
  leaseMs,
  self,
}: LivingProcessesParts): () => Promise<readonly string[]> {
  const own = ownIdentity();
  const isHere = (row: ProcessRow) => isSameMachine(ownerOf(row), own);
  const processText = ({ pid, host }: ProcessRow) => `process ${pid} on ${host}`;
  /** Lease counts of processes that are gone. */
  const gone = new Map<string, number>();

  const others = async () =>
    (await all()).filter((row) =>
      isHere(row)
        ? row.id !== self && !isDead(ownerOf(row), own)
        : row.taken === 0 && gone.get(row.id) !== row.beat,
    );

  return async () => {
    const before = await others();
    if (before.length === 0 || before.some(isHere)) return before.map(processText);
    await sleep(leaseMs);
    const beats = new Map(before.map(({ id, beat }) => [id, beat]));
    for (const row of await others())
      if (!isHere(row) && beats.get(row.id) === row.beat) gone.set(row.id, row.beat);
    return (await others()).map(processText);
  };
}
