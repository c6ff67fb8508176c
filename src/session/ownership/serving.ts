/** Where a session can run whose agent needs labels: here, on another node, or nowhere now. */
import { unmet } from '../../journal/needed-labels.ts';
import type { AgentRef } from '../../kernel/agent.ts';
import type { Store } from '../../ports/store.ts';

export type Serving =
  | { readonly type: 'here' | 'elsewhere' }
  | { readonly type: 'nowhere'; readonly problem: string };

/**
 * A node leaves the session to another node. Any other process runs what it starts itself, in its own folder.
 * `offers`: this machine's labels; absent, nothing is asked for.
 */
export async function findServing(
  { nodes, leases }: Pick<Store, 'nodes' | 'leases'>,
  { name, needs = [] }: AgentRef,
  offers: readonly string[] | undefined,
): Promise<Serving> {
  const missing = unmet(needs, offers);
  if (missing.length === 0) return { type: 'here' };
  const all = await nodes.list();
  const able = all.filter((one) => one.isAlive && !one.isDraining && unmet(needs, one.labels).length === 0);
  if (able.length > 0 && all.some(({ owner }) => owner === leases.self.id)) return { type: 'elsewhere' };
  const others =
    able.length === 0 ? 'No running node does.' : `These nodes do: ${able.map((one) => one.name).join(', ')}.`;
  const labels = `label${missing.length === 1 ? '' : 's'} ${missing.join(', ')}`;
  return {
    type: 'nowhere',
    problem:
      `Agent ${name} needs the ${labels}, which this machine doesn't offer. ${others} ` +
      'If this machine can serve it, add the label to "server": { "labels": […] } in rondo.json.',
  };
}
