/** Where a session can run whose agent needs labels: here, on another node, or nowhere now. */
import { unmet } from '../../journal/needed-labels.ts';
import { machineLabel } from '../../kernel/agent.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import type { RegisteredNode } from '../../ports/nodes.ts';
import type { Store } from '../../ports/store.ts';
import { goneMachineText } from '../../views/waits-for.ts';

export type Serving =
  | { readonly type: 'here' | 'elsewhere' }
  | { readonly type: 'nowhere'; readonly problem: string };

/**
 * A node leaves the session to another node. Any other process runs what it starts itself, in its own folder.
 * `offers`: this machine's labels; absent, nothing is asked for.
 */
export async function findServing(
  { nodes, leases }: Pick<Store, 'nodes' | 'leases'>,
  state: Pick<State, 'agent' | 'machine'> & { readonly id?: SessionId },
  offers: readonly string[] | undefined,
): Promise<Serving> {
  const { name } = state.agent;
  const { machine } = state;
  const folder = machine === undefined ? [] : [machineLabel(machine)];
  const missing = unmet(needsOf(state), offers);
  if (missing.length === 0) return { type: 'here' };
  const all = await nodes.list();
  const able = nodesAbleToRun(state, all);
  if (able.length > 0 && all.some(({ owner }) => owner === leases.self.id)) return { type: 'elsewhere' };
  if (machine !== undefined && able.length === 0 && missing.every((label) => folder.includes(label))) {
    return { type: 'nowhere', problem: goneMachineText(machine, state.id ?? 'SESSION') };
  }
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

/** The machine with a session's folder, if it isn't this one and no node runs there. */
export async function findGoneMachine(
  nodes: Store['nodes'],
  machine: string | undefined,
  here: string,
): Promise<string | undefined> {
  if (machine === undefined || machineLabel(machine) === machineLabel(here)) return undefined;
  const label = machineLabel(machine);
  const isServed = (await nodes.list()).some((one) => one.isAlive && one.labels.includes(label));
  return isServed ? undefined : machine;
}

/** The labels of a session's agent that no running node offers. */
export async function findMissingLabels(
  nodes: Store['nodes'],
  { agent: { needs = [] } }: Pick<State, 'agent'>,
  offers: readonly string[] = [],
): Promise<readonly string[]> {
  const missing = unmet(needs, offers);
  if (missing.length === 0) return missing;
  const all = await nodes.list();
  return missing.filter((label) => !all.some((one) => one.isAlive && one.labels.includes(label)));
}

/** The nodes that would take the session over. */
export function nodesAbleToRun(
  state: Pick<State, 'agent' | 'machine'>,
  nodes: readonly RegisteredNode[],
): readonly RegisteredNode[] {
  const needs = needsOf(state);
  return nodes.filter((one) => one.isAlive && !one.isDraining && unmet(needs, one.labels).length === 0);
}

function needsOf({ agent: { needs = [] }, machine }: Pick<State, 'agent' | 'machine'>): readonly string[] {
  return machine === undefined ? needs : [...needs, machineLabel(machine)];
}
