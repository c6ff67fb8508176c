/** A chat's backend: the server that runs on the same store, or this process. */
import type { ChatBackend } from '../../terminal/chat/chat-backend.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { onSuspend } from '../on-suspend.ts';
import { storeNameOf } from '../open-store.ts';
import { findServer } from '../serve/running-server.ts';
import { usageError } from '../usage-error.ts';
import type { ChatCommandOptions, RemoteSessionOptions } from './chat-options.ts';
import type { FollowedServer } from './follow-json.ts';

export async function connectChat(options: ChatCommandOptions): Promise<ChatBackend> {
  if (options.follow !== undefined) {
    const { createServerBackend } = await import('./server-backend.ts');
    const { url, token = '' } = await serverToFollow(options.follow);
    onSuspend({ pause: async () => () => undefined });
    return createServerBackend({ url, token, cwd: options.cwd, config: await configOf(options) });
  }
  const server = await serverFor(options);
  if (server !== undefined) {
    if (options.rules.length > 0) throw usageError("--allow doesn't apply to a server's sessions; add --alone");
    // The server keeps the session, so there is nothing to release before this process stops.
    onSuspend({ pause: async () => () => undefined });
    return server;
  }
  const [{ openWorkspace }, { createLocalBackend }] = await Promise.all([
    import('../workspace.ts'),
    import('./local-backend.ts'),
  ]);
  const { session, ...rest } = options;
  const workspace = await openWorkspace({
    ...rest,
    ...(session !== undefined && session !== 'newest-here' && { session }),
  });
  if (options.model !== undefined) {
    const problem = (await workspace.models()).problemWith(options.model);
    if (problem !== undefined) {
      await workspace[Symbol.asyncDispose]();
      throw usageError(problem);
    }
  }
  if (session === undefined) void workspace.prepare(options);
  onSuspend(workspace.rondo);
  return createLocalBackend(workspace, options);
}

/** Ignores a server on another store and one that doesn't respond. */
async function serverFor(options: ChatCommandOptions): Promise<ChatBackend | undefined> {
  const home = homeFolder();
  if (options.isAlone || (await findServer(home)) === undefined) return undefined;
  const config = await configOf(options);
  const server = await findServer(home, { store: storeNameOf(options.store, config) });
  if (server === undefined) return undefined;
  const isThere = await fetch(`${server.url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere) return undefined;
  const [{ createServerBackend }, { existingOwnerToken }] = await Promise.all([
    import('./server-backend.ts'),
    import('../serve/owner-token.ts'),
  ]);
  const token = process.env['RONDO_TOKEN'] ?? (await existingOwnerToken(home)) ?? '';
  return createServerBackend({ url: server.url, token, cwd: options.cwd, config });
}

/** The server that was named, else the one that runs here. */
export async function serverToFollow(follow: RemoteSessionOptions): Promise<FollowedServer> {
  const home = homeFolder();
  const url = follow.url ?? (await findServer(home))?.url;
  if (url === undefined)
    throw usageError('no server is running here; `rondo serve` starts one, --url names another');
  const { existingOwnerToken } = await import('../serve/owner-token.ts');
  return { url, token: follow.token ?? process.env['RONDO_TOKEN'] ?? (await existingOwnerToken(home)) };
}
