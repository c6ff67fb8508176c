/**
 * This server as one of the nodes on its store: registers it, keeps it registered, and answers for the others.
 */
import os from 'node:os';

import { unmet } from '../../journal/needed-labels.ts';
import { readerVersion } from '../../journal/reader-version.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { ClaimableSession } from '../../ports/lease.ts';
import type { NodeEntry, RegisteredNode } from '../../ports/nodes.ts';
import type { Store } from '../../ports/store.ts';
import type { RemoteLinks } from '../../session/remote/remote-links.ts';
import type { ServerClock, ServerLogger } from '../backend.ts';
import type { FleetCounts } from '../metrics.ts';
import { createAssertionCheck, createNodeKey, type AssertionCheck } from './assertion.ts';
import { rankOf } from './placement.ts';
import { createNodeLinks } from './node-links.ts';

export interface ServerNode extends AssertionCheck {
  readonly name: string;
  list(): Promise<readonly RegisteredNode[]>;
  /** The node that owns a session now. */
  nodeOf(session: SessionId): Promise<RegisteredNode | undefined>;
  /** True if a living node has this owner id. */
  isAlive(owner: string): Promise<boolean>;
  /** True while it couldn't renew its lease for so long that others may own its sessions. */
  hasLapsed(): boolean;
  drain(name: string): Promise<RegisteredNode | undefined>;
  counts(): Promise<FleetCounts>;
  /** Called when this node is marked as draining. */
  onDrain(listener: () => void): () => void;
  /** This node's rank among those that should take a session, from 0. */
  placement(): Promise<(session: ClaimableSession) => number>;
  /** Shows others that it takes no more sessions. */
  draining(): Promise<void>;
  stop(): void;
}

export interface NodeOptions {
  /** Without one: the host's name, and if that is taken, with the process id. */
  readonly name?: string;
  readonly address?: string;
  readonly labels: readonly string[];
  readonly capacity: number;
  readonly version: string;
  readonly fingerprint?: string;
}

interface ServerNodeParts {
  readonly store: Pick<Store, 'nodes' | 'leases' | 'inbox'>;
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
}

/** The key and the links exist before the server listens, so that sessions can use them. */
export function prepareNode(parts: ServerNodeParts & { readonly isInsecure: boolean }) {
  const { store, clock, logger, isInsecure } = parts;
  const key = createNodeKey();
  const links: RemoteLinks = createNodeLinks({
    leases: store.leases,
    nodes: store.nodes,
    key,
    clock,
    logger,
    isInsecure,
  });
  return { links, register: (options: NodeOptions) => registerNode(parts, key.publicKey, options) };
}

async function registerNode(
  { store, clock, logger }: ServerNodeParts,
  publicKey: string,
  { name, ...options }: NodeOptions,
): Promise<ServerNode> {
  const { nodes, leases } = store;
  const startedAt = clock.now();
  let isDraining = false;
  const entryAs = (chosen: string): NodeEntry => ({
    name: chosen,
    ...options,
    reader: readerVersion,
    publicKey,
    startedAt,
    isDraining,
  });

  /** A node that was killed on another machine keeps its name until its lease lapsed. */
  async function takeName(): Promise<string> {
    const wanted = name ?? os.hostname();
    for (let waitedMs = 0; ; waitedMs += retryNameMs) {
      const answer = await nodes.register(entryAs(wanted));
      if (answer.type === 'registered') return wanted;
      const { by } = answer;
      if (name === undefined) {
        const other = `${wanted}-${process.pid}`;
        if ((await nodes.register(entryAs(other))).type === 'registered') return other;
      } else if (by.host === leases.self.host || waitedMs >= patienceMs) {
        throw new Fault(
          'conflict',
          `Node name ${wanted} is taken by process ${by.pid} on ${by.host}. Choose another with --node.`,
        );
      }
      await new Promise<void>((resolve) => void clock.at(clock.now() + retryNameMs, resolve));
    }
  }

  const chosen = await takeName();
  let disarm = clock.at(clock.now() + keepMs, keep);
  let isStopped = false;

  /** Registers again after this process lost its lease, for example in a long sleep. */
  function keep(): void {
    const again = async () => {
      if ((await nodes.find(leases.self.id))?.isAlive === true) return;
      const answer = await nodes.register(entryAs(chosen));
      if (answer.type === 'name-taken') {
        logger.log('error', `node name ${chosen} was taken while this server was suspended; restart it`, {});
      }
    };
    again()
      .catch((error: unknown) => logger.log('error', "can't keep this node registered", { error: String(error) }))
      .finally(() => {
        if (!isStopped) disarm = clock.at(clock.now() + keepMs, keep);
      });
  }

  return {
    name: chosen,
    list: () => nodes.list(),
    async nodeOf(session) {
      const owner = await leases.ownerOf(session);
      return owner === undefined ? undefined : nodes.find(owner.id);
    },
    isAlive: async (owner) => (await nodes.find(owner))?.isAlive === true,
    hasLapsed: () => leases.standing() === 'lapsed',
    drain: (other) => nodes.drain(other),
    counts: async () => ({ nodes: await nodes.list(), letters: (await store.inbox.pending()).length }),
    async placement() {
      const ready = (await nodes.list()).filter((node) => node.isAlive && !node.isDraining);
      return ({ session, needs }) =>
        rankOf(
          session,
          chosen,
          ready.filter(({ labels }) => unmet(needs, labels).length === 0),
        );
    },
    onDrain: (listener) => nodes.onDrain(listener),
    async draining() {
      isDraining = true;
      await nodes.drain(chosen);
    },
    stop() {
      isStopped = true;
      disarm();
    },
    ...createAssertionCheck({ self: leases.self.id, find: (owner) => nodes.find(owner), now: () => clock.now() }),
  };
}

const keepMs = 10_000;
const retryNameMs = 1000;
/** A lease, and time to notice that it lapsed. */
const patienceMs = 25_000;
