/**
 * The server: HTTP, server-sent events and WebSocket on one port. It owns no sessions: closing it only closes
 * connections.
 */
import { createHash } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import { getRequestListener } from '@hono/node-server';
import { WebSocketServer, type WebSocket } from 'ws';

import { createMemoryHostedStore } from '../host/hosted-session.ts';
import { createSessionHost, type SessionHost } from '../host/session-host.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { StrandedSession } from '../session/ownership/stranded-sessions.ts';
import type { Backend, Catalog, ServerClock, ServerLogger } from './backend.ts';
import { createCapacity } from './capacity.ts';
import { serveConnection } from './connection.ts';
import { createDirectoryFeed } from './directory-feed.ts';
import { createQuestionFeed } from './question-feed.ts';
import { everySession } from './every-session.ts';
import { createGate } from './gate.ts';
import { createHttpApp } from './http-app.ts';
import { isEverywhere, isLink, listening, namesOf, turnAway, upgradeProblem, urlHost } from './listening.ts';
import { hostedStateOf } from './hosted-state.ts';
import { createLoginCodes } from './login-codes.ts';
import { hostSteps, noResources } from './host-steps.ts';
import { createDevices } from './devices.ts';
import { isServedOrigin, type GuardOptions } from './guard.ts';
import type { SessionOfPeer } from './identity.ts';
import { createMarks, createMemoryFile } from './marks.ts';
import { createMetrics, type Metrics, type SessionCounts } from './metrics.ts';
import type { ServerNode } from './nodes/node.ts';
import { createOperations } from './operations.ts';
import { allRoutes } from './routes/all-routes.ts';
import { createPush } from './push.ts';
import { createSeals } from './seals.ts';
import { createSessionOverview } from './session-overview.ts';
import { createShares } from './shares.ts';
import { createSlowDown } from './slow-down.ts';
import { defaultSocketLimits, type SocketLimits } from './socket-limits.ts';
import { createTokens, type TokenFile } from './tokens.ts';
import { createWebApp } from './web-app.ts';

/** Backend, access and limits of a server. */
export interface ServerOptions {
  readonly backend: Backend;
  readonly catalog?: Catalog;
  /** Manages the lifecycle of sessions. Default: an in-memory host without processes or worktrees. */
  readonly sessionHost?: SessionHost;
  readonly tokens: { readonly file: TokenFile; readonly owner: string };
  /** Keeps what people mark in the list of sessions. Default: in memory. */
  readonly marks?: TokenFile;
  /** Keeps share links, and push keys and subscriptions. Default: in memory. */
  readonly shares?: TokenFile;
  readonly push?: TokenFile;
  /** The server's folder: the default for new sessions. */
  readonly cwd: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Additional host names of this server. */
  readonly allowedHosts?: readonly string[];
  readonly origins?: readonly string[];
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
  readonly version: string;
  readonly metrics?: Metrics;
  readonly limits?: Partial<SocketLimits>;
  readonly maxConnections?: number;
  /** Heap size in bytes above which the server admits no session or connection. */
  readonly maxMemory?: number;
  readonly requestsPerSecond?: number;
  /** Finds the session in which a local client runs. Such a client may not decide for a person. */
  readonly sessionOfPeer?: SessionOfPeer;
  /** This server among the nodes of its store. */
  readonly node?: ServerNode;
  /** Sessions that no running node can work on. */
  readonly stranded?: () => Promise<readonly StrandedSession[]>;
  /** The folder of the built web app. */
  readonly webFolder?: string;
}

/** A listening server. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A single-use code for `#token=`. */
  loginCode(): string;
  /**
   * Makes `/readyz` fail. Connections stay open, unless other nodes are ready (`handOver`): then clients are sent
   * there, and other nodes can still follow what runs here.
   */
  drain(options?: { readonly handOver: boolean }): void;
  close(): Promise<void>;
}

/** Resolves once the server listens. A port in use is a `Fault` that names it. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { backend, clock, logger, host, tls, version } = options;
  const limits = { ...defaultSocketLimits, ...options.limits };
  const metrics = options.metrics ?? createMetrics();
  const isSecure = tls !== undefined;
  let isReady = true;
  const server = tls === undefined ? createHttpServer() : createHttpsServer({ cert: tls.cert, key: tls.key });
  const { maxConnections = 10_000, maxMemory } = options;
  const capacity = createCapacity({
    connections: maxConnections,
    ...optional({ memory: maxMemory }),
  });
  // Extra room for HTTP calls, and for connections that get a refusal.
  server.maxConnections = maxConnections + sparePlaces;
  server.headersTimeout = 20_000;
  server.requestTimeout = 60_000;
  const seals = await createSeals(options.tokens.file, () => clock.now());
  await listening(server, options.port, host);
  const { port } = server.address() as AddressInfo;

  const instance = createHash('sha256').update(`${options.tokens.owner} ${port}`).digest('hex').slice(0, 12);
  const tokens = createTokens({ ...options.tokens, now: () => clock.now() });
  const guarding: GuardOptions = {
    scheme: isSecure ? 'https' : 'http',
    hosts: [...namesOf(host, port), ...(options.allowedHosts ?? []).map((name) => name.toLowerCase())],
    origins: options.origins ?? [],
  };
  const devices = createDevices({
    tokens,
    seals,
    isOwnOrigin: (origin) => isServedOrigin(origin, guarding),
  });
  const codes = createLoginCodes(seals);
  const slowDown = createSlowDown(clock);
  const onProblem = (message: string, fields: Readonly<Record<string, unknown>>) =>
    logger.log('error', message, fields);
  const sessionHost = options.sessionHost ?? (await plainHost(options));
  const operations = createOperations({
    backend,
    cwd: options.cwd,
    host: sessionHost,
    capacity,
    tools: options.catalog?.tools?.bind(options.catalog),
    onAppended: (ms) => metrics.appended(ms),
    sessionOfPeer: options.sessionOfPeer,
  });
  void sessionHost
    .finishLeftovers()
    .catch((error: unknown) => onProblem('taking down what was left failed', { error: String(error) }));
  const gate = createGate({
    tokens,
    slowDown,
    clock,
    devices,
    requestsPerSecond: options.requestsPerSecond ?? 5000,
    guard: guarding,
  });
  const directory = createDirectoryFeed(backend, clock, (error) =>
    logger.log('error', 'following the directory failed', { error: String(error) }),
  );
  const questions = createQuestionFeed(backend, clock, (error) =>
    logger.log('error', 'following the questions failed', { error: String(error) }),
  );
  const shares = createShares(options.shares ?? createMemoryFile(), () => clock.now());
  const push = createPush({
    file: options.push ?? createMemoryFile(),
    tokens,
    backend,
    questions,
    clock,
    logger,
  });
  const marks = createMarks(options.marks ?? createMemoryFile(), () => clock.now());
  const overview = createSessionOverview({ backend, feed: directory, marks, clock, stranded: options.stranded });
  const app = createHttpApp({
    routes: allRoutes({
      logger,
      backend,
      operations,
      catalog: options.catalog ?? {},
      cwd: options.cwd,
      clock,
      counts: metrics,
      heartbeatMs: limits.pingMs / 2,
      node: options.node,
      host: sessionHost,
      overview,
      marks,
      shares,
      push,
      access: { tokens, devices, codes, slowDown, guard: guarding },
    }),
    gate,
    metrics,
    metricsText: async () => metrics.text(await countByState(backend, sessionHost), await options.node?.counts()),
    readiness: () => {
      if (!isReady) return 'draining';
      return options.node?.hasLapsed() === true ? 'store unreachable' : 'ready';
    },
    sessionOfPeer: options.sessionOfPeer,
    logger,
    isSecure,
    version,
    web: createWebApp(options.webFolder),
  });
  const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void listener(request, response));

  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    // Invalid UTF-8 gets our own error and doesn't close the connection.
    skipUTF8Validation: true,
    // Up to this size, an oversized message gets an error. Beyond it, the connection closes.
    maxPayload: 4 * limits.messageBytes,
  });
  const parts = {
    backend,
    operations,
    gate,
    node: options.node,
    directory,
    questions,
    metrics,
    clock,
    logger,
    limits,
  };
  /** Connections of other nodes. */
  const links = new WeakSet<WebSocket>();
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const error =
      upgradeProblem(request, isReady || isLink(request)) ??
      capacity.forConnection(sockets.clients.size) ??
      gate.problemWith(request);
    if (error !== undefined) return turnAway(socket, error);
    const identified = await gate.identify(request);
    sockets.handleUpgrade(request, socket, head, (ws) => {
      if (isLink(request)) links.add(ws);
      serveConnection(
        { ws, socket, address: request.socket.remoteAddress ?? '', identified },
        { ...parts, server: { name: 'rondo', version, instance } },
      );
    });
  };
  /** Also those of clients that are still being identified, which nothing else closes. */
  const upgraded = new Set<Duplex>();
  let isClosed = false;
  server.on('upgrade', (request, socket, head) => {
    if (isClosed) return void socket.destroy();
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      logger.log('error', 'an upgrade failed', { error: String(error) });
      socket.destroy();
    });
  });

  async function close(): Promise<void> {
    isReady = false;
    overview.close();
    push.close();
    directory.close();
    questions.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const ws of sockets.clients) ws.close(1001, 'the server is closing');
    await new Promise((resolve) => setImmediate(resolve));
    const disarm = clock.at(clock.now() + 1000, () => {
      isClosed = true;
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
    });
    server.closeIdleConnections();
    // Event streams over HTTP would otherwise never end.
    setImmediate(() => server.closeAllConnections());
    await closed;
    disarm();
    metrics.close();
  }
  return {
    url: `${isSecure ? 'https' : 'http'}://${urlHost(isEverywhere(host) ? '127.0.0.1' : host)}:${port}`,
    port,
    loginCode: () => codes.make(),
    drain({ handOver } = { handOver: false }) {
      isReady = false;
      if (!handOver) return;
      for (const ws of sockets.clients) if (!links.has(ws)) ws.close(1012, 'the server is restarting');
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const sparePlaces = 100;

/** A host for sessions without processes or worktrees, so there is nothing to clean up. */
function plainHost({ backend, clock, logger }: ServerOptions): Promise<SessionHost> {
  return createSessionHost({
    store: createMemoryHostedStore(),
    ids: { session: () => '' as SessionId },
    clock,
    logger,
    steps: hostSteps(backend, noResources),
  });
}

async function countByState(backend: Backend, host: Pick<SessionHost, 'get'>): Promise<SessionCounts> {
  const counts: SessionCounts = { byState: new Map(), byHosting: new Map() };
  const add = <Key>(to: Map<Key, number>, key: Key) => to.set(key, (to.get(key) ?? 0) + 1);
  for await (const { session, state } of everySession(backend)) {
    add(counts.byState, state);
    add(counts.byHosting, hostedStateOf({ isClosed: state === 'closed' }, host.get(session)));
  }
  return counts;
}
