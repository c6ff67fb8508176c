/**
 * Other runtimes beside ours, on request (`--peers`). They are never dependencies of this package:
 * npm installs them into a folder of their own, `RONDO_BENCH_CACHE` or one under the system's
 * temporary folder, where a second run finds them again.
 *
 * A peer is a `TurnRuntime` (see work/turn-runtime.ts) made by an adapter that resolves its packages
 * from that folder. None has one yet: issue 11 adds them to this list and to `openRuntime`.
 */
import os from 'node:os';
import path from 'node:path';

export interface Peer {
  readonly title: string;
  /** Package names with exact versions, as `npm install` takes them. */
  readonly packages: readonly string[];
}

export const peers: readonly Peer[] = [];

export function peerFolder(): string {
  return process.env['RONDO_BENCH_CACHE'] ?? path.join(os.tmpdir(), `rondo-bench-peers-${os.userInfo().username}`);
}
