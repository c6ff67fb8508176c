/** `rondo serve`: opens the workspace, resumes interrupted work, listens, and stops on a signal. */
import { X509Certificate } from 'node:crypto';
import path from 'node:path';

import { mostLiveSessions } from '../../assembly/rondo-options.ts';
import { createFileCheckpoints } from '../../assembly/sessions/file-checkpoints.ts';
import { createSessionHost, type SessionHost } from '../../host/session-host.ts';
import { createDurableHostedStore } from '../../host/durable-hosted-store.ts';
import { rondoVersion } from '../../journal/rondo-version.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import { createSystemClock } from '../../runtime/system-clock.ts';
import { sessionOfPeer } from '../../processes/around-session.ts';
import { createSystemIds } from '../../runtime/system-ids.ts';
import { hostSteps } from '../../server/host-steps.ts';
import { createMetrics } from '../../server/metrics.ts';
import { prepareNode, type ServerNode } from '../../server/nodes/node.ts';
import { startServer, type Server } from '../../server/server.ts';
import type { ServerLogger } from '../../server/backend.ts';
import { waitWithin } from '../../session/ownership/wait-within.ts';
import { keepRetention } from '../../upkeep/keep-retention.ts';
import type { CliCommand } from '../command.ts';
import { usageError } from '../usage-error.ts';
import { storeNameOf } from '../open-store.ts';
import { storeAddressOf } from '../open-store.ts';
import { keepReserve } from '../upkeep/space-reserve.ts';
import { openWorkspace, type Workspace } from '../workspace.ts';
import { createCatalog } from './catalog.ts';
import { createJsonLogger } from './json-logger.ts';
import { ownerToken, privateFileIn, sharedFileIn } from './owner-token.ts';
import { thisMachine } from '../../assembly/sessions/this-machine.ts';
import { strandedSessions } from '../../session/ownership/stranded-sessions.ts';
import { servedBy } from './served-by.ts';
import { watchQuestions } from './question-webhook.ts';
import { findServer, forgetServer, noteServer } from './running-server.ts';
import { parseServeOptions, serveOptions } from './serve-options.ts';
import { findWebFolder } from './web-folder.ts';
import { optional } from '../../kernel/optional.ts';

export const serveCommand: CliCommand = {
  usage: ['serve [--port N] [--host HOST]', 'serve --node NAME --advertise URL [--labels A,B]'],
  about: `Serves sessions over HTTP and WebSocket on this machine and prints the address. The address holds a code that
signs one browser in, once. Programs use tokens (\`rondo token\`). On SIGTERM, running turns finish first, and other
servers on the same store (\`rondo nodes\`) take over the sessions.`,
  options: serveOptions,
  async run(argv) {
    const settings = parseServeOptions(argv);
    const clock = createSystemClock();
    const logger = createJsonLogger((line) => void process.stderr.write(line), settings.isVerbose);
    const metrics = createMetrics();
    let nodes: ReturnType<typeof prepareNode> | undefined;
    const workspace = await openWorkspace({
      cwd: settings.cwd,
      labels: (config) => settings.asNode(config).labels,
      links: (store) => (nodes = prepareNode({ store, clock, logger, isInsecure: settings.isInsecure })).links,
      ...optional({ store: settings.store }),
      watch: {
        logger,
        telemetry: { record: (entry) => metrics.record(entry) },
        onEvent(session, recorded, state) {
          metrics.saw(recorded);
          host.saw(session, recorded, state);
        },
        agentLife: {
          bringUp: (...given) => host.bringUp(...given),
          agentGone: (session) => host.agentGone(session),
        },
      },
    });
    const { rondo, home } = workspace;
    const address = storeAddressOf(settings.store, workspace.config);
    if (address.type === 'sqlite') keepReserve(address.path);
    const backend = servedBy(workspace);
    const host: SessionHost = await createSessionHost({
      store: createDurableHostedStore(workspace.store),
      ids: createSystemIds(() => clock.now()),
      clock,
      logger,
      steps: hostSteps(backend, { endProcesses, leave: workspace.leave }),
    });
    const { endOrphans, findOrphans } = await import('../../assembly/sessions/orphans.ts');
    await endOrphans(await findOrphans(workspace.store));
    const webFolder = findWebFolder();
    let node: ServerNode | undefined;
    let server: Server | undefined;
    try {
      const listening = await settings.listenOn(workspace.config.config);
      node = await nodes?.register({
        ...settings.asNode(workspace.config.config),
        capacity: mostLiveSessions,
        version: rondoVersion(),
        ...(listening.tls !== undefined && { fingerprint: fingerprintOf(listening.tls.cert) }),
      });
      server = await startServer({
        ...listening,
        backend,
        catalog: { ...createCatalog(workspace), worktrees: workspace.worktrees },
        sessionHost: host,
        tokens: { file: await sharedFileIn(workspace.store, home, 'tokens'), owner: await ownerToken(home) },
        marks: await sharedFileIn(workspace.store, home, 'marks'),
        shares: await sharedFileIn(workspace.store, home, 'shares'),
        push: privateFileIn(home, 'push.json'),
        cwd: settings.cwd,
        clock,
        logger,
        metrics,
        version: rondoVersion(),
        sessionOfPeer,
        ...(workspace.store.isShared === true && {
          stranded: () => strandedSessions(workspace.store, thisMachine(), clock.now()),
        }),
        ...optional({ webFolder, node }),
      });
      const { url } = server;
      const { webhook } = settings;
      const stopTelling =
        webhook === undefined ? undefined : await watchQuestions(webhook, { rondo, url, logger });
      await noteServer(home, {
        url: server.url,
        store: storeNameOf(settings.store, workspace.config),
      });
      // Before anybody learns that it runs, and may stop it.
      const stopped = untilStopped(node);
      console.log(`Rondo is at ${server.url}/#token=${server.loginCode()}`);
      const stopAdopting = keepAdopting(workspace, node, (error) =>
        logger.log('error', "can't take over orphaned work", { error: String(error) }),
      );
      const stopRetention = standingRetention(workspace, clock, logger);
      /** Writes news for other processes. This process ends even if the store is unreachable. */
      const unlessAway = async <Value>(work: Promise<Value> | undefined, otherwise: Value): Promise<Value> => {
        let answer = otherwise;
        let problem = 'the store is silent';
        const asked = (async () => {
          answer = (await work) ?? otherwise;
          problem = '';
        })().catch((error: unknown) => (problem = String(error)));
        await waitWithin(asked, Math.max(0, tellUntil - clock.ticks()), clock);
        if (problem !== '') logger.log('warn', "can't tell other servers that this one stops", { error: problem });
        return answer;
      };
      await stopped;
      const signalledAt = clock.ticks();
      const tellUntil = signalledAt + tellWithinMs;
      stopRetention();
      node?.stop();
      logger.log('info', 'stopping', { drainMs: settings.drainMs });
      stopAdopting();
      stopTelling?.();
      const handOver = await unlessAway(hasOthers(node), false);
      server.drain({ handOver });
      await unlessAway(node?.draining(), undefined);
      let isClosed = false;
      const closing = (async () => {
        await rondo.close({ deadline: settings.drainMs, handOver });
        await server?.close();
        isClosed = true;
      })();
      await waitWithin(closing, settings.drainMs + closeWithinMs - (clock.ticks() - signalledAt), clock);
      await forgetServer(home);
      if (isClosed) return 0;
      logger.log('error', "can't release sessions; other servers take them over after the lease", {});
      // What waits for the store would keep this process. Its children end with it.
      return process.exit(1);
    } catch (error) {
      node?.stop();
      await rondo.close();
      await server?.close();
      // The fix is another port or address, so report a usage error.
      if (server === undefined && error instanceof Fault && isAboutThePort(error))
        throw usageError(await withOwnServer(error, home));
      throw error;
    }
  },
};

function isAboutThePort({ code, cause }: Fault): boolean {
  const { syscall } = (cause ?? {}) as { readonly syscall?: string };
  return code === 'network' && (syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo');
}

/** If this user's own server occupies the port, the message is only that: there is nothing to fix. */
async function withOwnServer({ message, cause }: Fault, home: string): Promise<string> {
  const { code, port } = (cause ?? {}) as { readonly code?: string; readonly port?: number };
  const isTaken = code === 'EADDRINUSE' && port !== undefined;
  const there = isTaken ? await findServer(home, { port }) : undefined;
  const own = there ?? (await findServer(home));
  if (own === undefined) return message;
  const runs = `Your own server already runs at ${own.url} (process ${own.process.pid}); \`rondo token link\` prints a sign-in link.`;
  return there === undefined ? `${message} ${runs}` : runs;
}

/** Every process that a session started carries the session's id. */
async function endProcesses(session: SessionId, graceMs: number): Promise<void> {
  const { killMarked } = await import('../../processes/kill-tree.ts');
  await killMarked({ session }, { graceMs });
}

/** True if another node can take over what runs here. */
async function hasOthers(node: ServerNode | undefined): Promise<boolean> {
  const nodes = (await node?.list()) ?? [];
  return nodes.some(({ name, isAlive, isDraining }) => name !== node?.name && isAlive && !isDraining);
}

function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
}

const adoptEveryMs = 2000;
/** For all news together, so that closing has its share. */
const tellWithinMs = 10_000;
/** What closing may take beside the drain. */
const closeWithinMs = 20_000;

/** Adopts work of dead processes continuously, not only at start. */
function keepAdopting(
  { rondo }: Workspace,
  node: ServerNode | undefined,
  onProblem: (error: unknown) => void,
): () => void {
  const adopt = () => {
    (async () => rondo.adopt(await node?.placement()))().catch(onProblem);
  };
  adopt();
  const timer = setInterval(adopt, adoptEveryMs);
  return () => clearInterval(timer);
}

/** Applies the configured retention once a day. */
function standingRetention({ config, store, home }: Workspace, clock: Clock, logger: ServerLogger): () => void {
  const { retention } = config.config;
  if (retention === undefined) return () => undefined;
  const { olderThanDays, largerThanMB, states, action } = retention;
  return keepRetention({
    store,
    clock,
    forget: createFileCheckpoints({ home }).forget,
    rule: {
      ...(olderThanDays !== undefined && { olderThanMs: olderThanDays * 86_400_000 }),
      ...(largerThanMB !== undefined && { largerThan: largerThanMB * 1024 * 1024 }),
      ...optional({ states }),
    },
    action: action === 'archive' ? { type: 'archive', folder: path.join(home, 'archive') } : { type: 'delete' },
    onReport: (report) => logger.log('info', 'retention', { ...report }),
    onProblem: (error) => logger.log('error', 'retention failed', { error: String(error) }),
  });
}

/** The first signal or `rondo nodes drain` stops gracefully, a second signal immediately. */
function untilStopped(node: ServerNode | undefined): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    const stop = () => {
      if (isAsked) process.exit(130);
      isAsked = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
    node?.onDrain(() => {
      isAsked = true;
      resolve();
    });
  });
}
