import type { Cell } from './table.ts';

/** Longer than a lease. A process that looks for the first time can't know yet that such a node is gone (O5). */
const silentAfterMs = 30_000;

/** What a node does, as lists show it. `silentMs` compares the clocks of two machines, so it only informs. */
export function nodeState(node: {
  readonly isAlive: boolean;
  readonly isDraining: boolean;
  readonly silentMs: number;
}): Cell {
  if (!node.isAlive) return { text: 'gone', tone: 'bad' };
  if (node.silentMs > silentAfterMs) return { text: 'silent', tone: 'warning' };
  return node.isDraining ? { text: 'draining', tone: 'warning' } : { text: 'ready' };
}
