/**
 * The servers that share a store (`fleet.md`, Nodes).
 *
 * 1. A node is a registered process. Registering gives the process a lease, and the node is as alive as that lease.
 * 2. Of two living processes only one has a name. The name of a node that is gone can be registered again.
 * 3. A node that closes its store in order is no longer listed. One that died is listed as gone until its name is
 *    registered again or the store forgets its process.
 * 4. A request to drain is durable: a node that didn't hear it finds it in its own entry.
 */
export interface Nodes {
  /** Registers this process, or replaces its entry. Repeat it after a lost lease. */
  register(node: NodeEntry): Promise<RegisterAnswer>;
  /** By name. */
  list(): Promise<readonly RegisteredNode[]>;
  /** The node with this owner id (`Owner.id`). */
  find(owner: string): Promise<RegisteredNode | undefined>;
  /** Marks a living node as draining. Undefined if there is no living node with that name. */
  drain(name: string): Promise<RegisteredNode | undefined>;
  /** Called when this process is marked as draining, by itself or by another process. */
  onDrain(listener: () => void): () => void;
}

export interface NodeEntry {
  readonly name: string;
  /** Where other nodes and clients reach it. Without one, its sessions are followed through the journal alone. */
  readonly address?: string;
  readonly labels: readonly string[];
  /** The most sessions that it keeps open. */
  readonly capacity: number;
  /** The version of Rondo, for people. */
  readonly version: string;
  /** The newest event format that it reads (`journal/reader-version.ts`). */
  readonly reader: number;
  /** Ed25519, as base64url of its 32 bytes. Other nodes check its signatures with it. */
  readonly publicKey: string;
  /** SHA-256 of its TLS certificate, as lower-case hex. */
  readonly fingerprint?: string;
  readonly startedAt: number;
  readonly isDraining: boolean;
}

export interface RegisteredNode extends NodeEntry {
  readonly owner: string;
  readonly host: string;
  readonly pid: number;
  readonly isAlive: boolean;
  /** Milliseconds since its last renewal by the store's clock. For display only. */
  readonly silentMs: number;
  /** How many sessions it owns. */
  readonly sessions: number;
}

type RegisterAnswer =
  | { readonly type: 'registered' }
  /** A living process has this name. */
  | { readonly type: 'name-taken'; readonly by: RegisteredNode };
