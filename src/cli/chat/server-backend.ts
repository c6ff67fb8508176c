/** A chat whose sessions run on a server, where browsers and other terminals see them too. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { createClient } from '../../client/client.ts';
import type { ConnectionState } from '../../client/connection-state.ts';
import { Fault } from '../../kernel/fault.ts';
import type { ChatBackend } from '../../terminal/chat/chat-backend.ts';
import { homeFolder } from '../home.ts';
import { saveIn } from '../save-file.ts';
import { findServer } from '../serve/running-server.ts';
import { configuredTheme } from './configured-theme.ts';
import { fileBefore } from '../sessions/question-card-lines.ts';
import { folderFacts } from './folder-facts.ts';
import { gitBranch } from './git-branch.ts';
import { sandboxProbe } from './sandbox-probe.ts';

export interface ServerBackendOptions {
  readonly url: string;
  readonly token: string;
  readonly cwd: string;
  readonly config: LoadedConfig;
}

/** How often to try connecting to a server that was just found. */
const attempts = 3;

export function createServerBackend({ url, token, cwd, config }: ServerBackendOptions): ChatBackend {
  // Until the screen shows the connection state, fail instead of waiting silently.
  const turnedAway = Promise.withResolvers<never>();
  turnedAway.promise.catch(() => undefined);
  const watchers = new Set<() => void>();
  const port = isLocal(url) ? Number(new URL(url).port) : undefined;
  const isListed = async () => port !== undefined && (await findServer(homeFolder(), { port })) !== undefined;
  let wasListed = false;
  let process: 'gone' | 'alive' | undefined;
  /** Only a server that this machine listed before can be told to be gone. */
  async function lookAtProcess(type: ConnectionState['type']): Promise<void> {
    const isPresent = await isListed();
    if (type === 'open') wasListed = isPresent;
    process = type === 'open' || !wasListed ? undefined : isPresent ? 'alive' : 'gone';
    for (const changed of watchers) changed();
  }
  const client = createClient({
    url,
    token,
    name: 'rondo chat',
    onConnection(state) {
      for (const changed of watchers) changed();
      if (state.type === 'open' || state.type === 'waiting') void lookAtProcess(state.type);
      if (state.type !== 'waiting' || state.attempt < attempts || client.welcome !== undefined) return;
      turnedAway.reject(
        new Fault(
          'network',
          `Connecting to the server at ${url} failed ${attempts} times in a row: ${state.why}. Check its log, or run without it: \`rondo chat --alone\`.`,
        ),
      );
    },
  });
  const { rondo } = client;
  const hasSandbox = isLocal(url) ? sandboxProbe(cwd) : async () => false;

  return {
    ...rondo,
    link: {
      // Before the first message, the server isn't lost: it isn't connected yet.
      get isLost() {
        return client.welcome !== undefined && client.connection.type !== 'open';
      },
      get nextTryAt() {
        const { connection } = client;
        return connection.type === 'waiting' ? connection.until : undefined;
      },
      get process() {
        return process;
      },
      retry: client.reconnect,
      watch: (changed) => void watchers.add(changed),
    },
    get self() {
      return client.welcome?.actor ?? 'terminal';
    },
    create: (wanted) =>
      Promise.race([rondo.create({ ...wanted, cwd }), turnedAway.promise]).catch(refusedByServer),
    theme: (agent) => configuredTheme(config, agent),
    branch: (folder) => gitBranch(folder || cwd),
    // A remote session's files aren't here.
    fileBefore: async (question, folder) => (isLocal(url) ? fileBefore(question, folder) : undefined),
    folder: async (folder) => (isLocal(url) ? folderFacts(folder || cwd, config, hasSandbox) : undefined),
    hasSandbox,
    save: saveIn(cwd),
    async [Symbol.asyncDispose]() {
      client.close();
    },
  };
}

function isLocal(url: string): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
}

/** A refusal by the server is a usage error, not a bug in Rondo. */
function refusedByServer(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Fault || !('code' in error)) throw error;
  const isMistaken = error.code === 'REFUSED' || error.code === 'INVALID_MESSAGE';
  throw new Fault(isMistaken ? 'not-found' : 'network', error.message, { cause: error });
}
