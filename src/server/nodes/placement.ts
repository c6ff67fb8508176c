/**
 * Which node should take a session (O9): rendezvous hashing, so that the nodes agree without talking, and a node
 * that joins or leaves moves only its share.
 */
import { hash } from 'node:crypto';

/** The node's place, 0 for the first choice. A node that isn't listed comes last. */
export function rankOf(
  session: string,
  name: string,
  nodes: readonly { readonly name: string; readonly capacity: number; readonly sessions: number }[],
): number {
  const order = nodes
    .toSorted((a, b) => Number(isFull(a)) - Number(isFull(b)) || weight(session, b) - weight(session, a))
    .map((node) => node.name);
  const at = order.indexOf(name);
  return at === -1 ? order.length : at;
}

function isFull({ capacity, sessions }: { readonly capacity: number; readonly sessions: number }): boolean {
  return sessions >= capacity;
}

function weight(session: string, { name }: { readonly name: string }): number {
  return Number.parseInt(hash('sha256', `${session}\n${name}`, 'hex').slice(0, 12), 16);
}
