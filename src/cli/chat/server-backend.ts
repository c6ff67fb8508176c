/** A chat whose sessions are on a server, where browsers and other terminals see them too. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import { createClient } from '../../client/client.ts';
import { Fault } from '../../kernel/fault.ts';
import type { ChatBackend } from '../../terminal/chat/chat-backend.ts';
import { saveIn } from '../save-file.ts';
import { configuredTheme } from './configured-theme.ts';
import { gitBranch } from './git-branch.ts';

export interface ServerBackendOptions {
  readonly url: string;
  readonly token: string;
  readonly cwd: string;
  readonly config: LoadedConfig;
}

/** So often a server that was just found is asked to take the connection. */
const attempts = 3;

export function createServerBackend({ url, token, cwd, config }: ServerBackendOptions): ChatBackend {
  // Before there is a screen that shows how the connection is, nobody should wait without a word.
  const turnedAway = Promise.withResolvers<never>();
  turnedAway.promise.catch(() => undefined);
  const watchers = new Set<() => void>();
  const client = createClient({
    url,
    token,
    name: 'rondo chat',
    onConnection(state) {
      for (const changed of watchers) changed();
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

  return {
    ...rondo,
    link: {
      // Before its first word the server is not lost, it is not there yet.
      get isLost() {
        return client.welcome !== undefined && client.connection.type !== 'open';
      },
      watch: (changed) => void watchers.add(changed),
    },
    get self() {
      return client.welcome?.actor ?? 'terminal';
    },
    create: (wanted) =>
      Promise.race([rondo.create({ ...wanted, cwd }), turnedAway.promise]).catch(refusedByServer),
    theme: (agent) => configuredTheme(config, agent),
    branch: () => gitBranch(cwd),
    save: saveIn(cwd),
    async [Symbol.asyncDispose]() {
      client.close();
    },
  };
}

/** What the server says no to is a mistake in what was asked for, not one of ours. */
function refusedByServer(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Fault || !('code' in error)) throw error;
  const isMistaken = error.code === 'REFUSED' || error.code === 'INVALID_MESSAGE';
  throw new Fault(isMistaken ? 'not-found' : 'network', error.message, { cause: error });
}
