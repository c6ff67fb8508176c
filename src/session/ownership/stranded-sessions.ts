/** Sessions with work to do that no running node can do. Only a person can decide about them. */
import { machineLabel } from '../../kernel/agent.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { Store } from '../../ports/store.ts';

export interface StrandedSession {
  readonly session: SessionId;
  /** The machine with its folder, as in its label, if nothing runs there. */
  readonly machine?: string;
  /** Other labels that no running node offers. */
  readonly labels: readonly string[];
}

/**
 * `claimable` lists work whose owner is known to be gone. A process that has just started can't know that yet, so a
 * node that the store lists as gone counts too.
 */
export async function strandedSessions(
  { leases, nodes, journal }: Pick<Store, 'leases' | 'nodes' | 'journal'>,
  here: string,
  at: number,
): Promise<readonly StrandedSession[]> {
  const all = await nodes.list();
  const offered = new Set([
    machineLabel(here),
    ...all.filter((one) => one.isAlive).flatMap(({ labels }) => labels),
  ]);
  const stranded = (session: SessionId, needs: readonly string[] = []): readonly StrandedSession[] => {
    const missing = needs.filter((need) => !offered.has(need));
    const machine = missing.find((need) => need.startsWith(labelStart));
    const labels = missing.filter((need) => need !== machine);
    return missing.length === 0
      ? []
      : [{ session, labels, ...optional({ machine: machine?.slice(labelStart.length) }) }];
  };
  const free = (await leases.claimable({ at, limit: mostLooked })).flatMap(({ session, needs }) =>
    stranded(session, needs),
  );
  const gone = new Set(all.filter((one) => !one.isAlive).map(({ owner }) => owner));
  if (gone.size === 0) return free;
  const { entries } = await journal.list({ state: 'running', limit: mostLooked });
  const left = await Promise.all(
    entries.map(async ({ session, needs }) => {
      const [one] = stranded(session, needs);
      const isGone = one !== undefined && gone.has((await leases.ownerOf(session))?.id ?? '');
      return isGone && !free.some((other) => other.session === session) ? [one] : [];
    }),
  );
  return [...free, ...left.flat()];
}

const labelStart = machineLabel('');
const mostLooked = 200;
