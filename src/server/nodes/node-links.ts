/**
 * Follows sessions at the nodes that own them, with the public protocol (`fleet.md`, Nodes).
 *
 * 1. The owner is looked up for every connection, so a link moves on with the session.
 * 2. One hop: a node that doesn't own the session answers `MISDIRECTED`, and the owner is looked up again.
 * 3. An owner that doesn't say what the journal has by now is stopped, cut off or no longer the owner: it is looked up
 *    again.
 * 4. What comes from the address is read like any input: another program may listen there by now.
 * 5. A TLS certificate must be the one that the node registered. Nothing secret is sent before that check.
 */
import type { TLSSocket } from 'node:tls';

import { WebSocket } from 'ws';

import type { Leases } from '../../ports/lease.ts';
import type { Nodes, RegisteredNode } from '../../ports/nodes.ts';
import type { ClientMessage } from '../../protocol/client-message.ts';
import { roles } from '../../protocol/http-schema.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { RemoteLink, RemoteLinks } from '../../session/remote/remote-links.ts';
import type { ServerClock, ServerLogger } from '../backend.ts';
import { linkPath } from '../listening.ts';
import type { NodeKey } from './assertion.ts';
import { addressProblem } from './node-address.ts';
import { createOwnerReader } from './owner-message.ts';

interface NodeLinksParts {
  readonly leases: Pick<Leases, 'self' | 'ownerOf'>;
  readonly nodes: Pick<Nodes, 'find'>;
  readonly key: NodeKey;
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
  /** Allows plain HTTP to other machines. */
  readonly isInsecure: boolean;
}

const firstRetryMs = 100;
const mostRetryMs = 5000;
const patienceMs = 10_000;
/** Longer silence than this means that the connection is dead: a server pings every 20 s or so. */
const silenceMs = 60_000;
/** How long an owner may take to say what the follower has already read from the journal. */
const behindMs = 3000;

export function createNodeLinks(parts: NodeLinksParts): RemoteLinks {
  return {
    follow(session, link) {
      const following = new AbortController();
      void keepFollowing(session, link, parts, following.signal);
      return () => following.abort();
    },
  };
}

async function keepFollowing(
  session: SessionId,
  link: RemoteLink,
  parts: NodeLinksParts,
  stopped: AbortSignal,
): Promise<void> {
  const { clock, logger } = parts;
  let retryMs = firstRetryMs;
  while (!stopped.aborted) {
    const began = clock.ticks();
    try {
      const owner = await ownerNode(session, parts);
      if (owner === 'without-address') return link.otherwise();
      if (owner !== undefined && !stopped.aborted) await followAt(owner, session, link, parts, stopped);
    } catch (error) {
      logger.log('debug', 'following at another node failed', { session, error: String(error) });
    }
    // A connection that lasted doesn't count as a failed attempt.
    retryMs = clock.ticks() - began > mostRetryMs ? firstRetryMs : Math.min(retryMs * 2, mostRetryMs);
    await pause(retryMs * (0.5 + Math.random() / 2), clock, stopped);
  }
}

/** Undefined if nobody owns the session now, or its owner is gone. */
async function ownerNode(
  session: SessionId,
  { leases, nodes, isInsecure }: NodeLinksParts,
): Promise<(RegisteredNode & { readonly address: string }) | 'without-address' | undefined> {
  const owner = await leases.ownerOf(session);
  if (owner === undefined || owner.id === leases.self.id) return undefined;
  const node = await nodes.find(owner.id);
  const { address } = node ?? {};
  if (node === undefined || address === undefined || addressProblem(address, { isInsecure }) !== undefined) {
    return 'without-address';
  }
  return node.isAlive ? { ...node, address } : undefined;
}

/** Resolves when the connection ends. */
function followAt(
  node: RegisteredNode & { readonly address: string },
  session: SessionId,
  link: RemoteLink,
  { leases, key, clock }: NodeLinksParts,
  stopped: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { fingerprint } = node;
  const socket = new WebSocket(`${node.address.replace(/^http/, 'ws').replace(/\/+$/, '')}${linkPath}`, {
    handshakeTimeout: patienceMs,
    perMessageDeflate: false,
    maxPayload: 64 * 1024 * 1024,
    // The registered certificate is checked instead, which no authority needs to sign.
    ...(fingerprint !== undefined && { rejectUnauthorized: false }),
  });
  let committed = link.after();
  let had = committed;
  let disarmLook = clock.at(clock.now() + behindMs, look);
  function look(): void {
    if (had > committed) return socket.terminate();
    had = link.after();
    disarmLook = clock.at(clock.now() + behindMs, look);
  }
  let disarm = clock.at(clock.now() + silenceMs, () => socket.terminate());
  const heard = () => {
    disarm();
    disarm = clock.at(clock.now() + silenceMs, () => socket.terminate());
  };
  const send = (message: ClientMessage) => socket.send(JSON.stringify(message));
  const end = () => socket.terminate();
  stopped.addEventListener('abort', end);
  socket.on('upgrade', ({ socket: under }) => {
    if (fingerprint !== undefined && fingerprintOf(under as TLSSocket) !== fingerprint) socket.terminate();
  });
  socket.on('open', () => {
    const role = roles.find((one) => one === link.for.role) ?? 'viewer';
    const about = { from: leases.self.id, to: node.owner, session, person: link.for.person, role };
    send({ v: 1, type: 'hello', token: key.assert(about, clock.now()), client: 'node' });
    committed = link.after();
    send({ v: 1, type: 'session.follow', session, after: committed });
  });
  const owner = createOwnerReader(session);
  socket.on('message', (data: Buffer) => {
    heard();
    const message = owner.read(data.toString('utf8'));
    if (message === undefined) return socket.terminate();
    if (message.committed !== undefined) {
      committed = Math.max(committed, message.committed);
      link.committed(message.committed);
    }
    for (const progress of message.progress) link.progress(progress);
  });
  socket.on('ping', heard);
  // `close` follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    disarm();
    disarmLook();
    stopped.removeEventListener('abort', end);
    resolve();
  });
  return promise;
}

/** SHA-256 of the peer's certificate, as lower-case hex. */
function fingerprintOf(socket: TLSSocket): string {
  const certificate =
    typeof socket.getPeerCertificate === 'function' ? socket.getPeerCertificate().fingerprint256 : '';
  return certificate.replaceAll(':', '').toLowerCase();
}

function pause(ms: number, clock: ServerClock, stopped: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const disarm = clock.at(clock.now() + ms, resolve);
  stopped.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(disarm);
}
