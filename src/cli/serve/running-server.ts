/** A registry of this user's running servers, so that other commands find them. */
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';
import { isDead, isSameMachine, ownIdentity, type ProcessIdentity } from '../../journal/process-identity.ts';
import { fieldsOf } from '../../kernel/json-object.ts';

interface RunningServer {
  readonly url: string;
  readonly process: ProcessIdentity;
  /** The store that it serves. */
  readonly store: string;
}

const fileIn = (home: string) => path.join(home, 'server.json');

/** The same write removes entries of dead processes. */
export async function noteServer(home: string, server: Omit<RunningServer, 'process'>): Promise<void> {
  const own: RunningServer = { ...server, process: ownIdentity() };
  await updatePrivateJson(fileIn(home), (noted) => ({ servers: [...notGone(noted), own] }));
}

export async function forgetServer(home: string): Promise<void> {
  await updatePrivateJson(fileIn(home), (noted) => ({
    servers: notGone(noted).filter((server) => !isSelf(server)),
  }));
}

/** The newest running server; with a store or a port, the newest that serves it or listens there. */
export async function findServer(
  home: string,
  { store, port }: { readonly store?: string; readonly port?: number } = {},
): Promise<RunningServer | undefined> {
  const noted = await readPrivateJson(fileIn(home)).catch(() => undefined);
  const self = ownIdentity();
  const here = notGone(noted).filter(({ process }) => isSameMachine(process, self));
  return here.findLast(
    (server) =>
      (store === undefined || server.store === store) &&
      (port === undefined || URL.parse(server.url)?.port === String(port)),
  );
}

/** Keeps entries of other machines that share the folder: only they can clean them up. */
function notGone(noted: unknown): readonly RunningServer[] {
  const { servers } = (noted ?? {}) as { readonly servers?: unknown };
  const self = ownIdentity();
  const isGone = ({ process }: RunningServer) =>
    process.host === self.host && (process.bootId !== self.bootId || isDead(process, self));
  return Array.isArray(servers) ? servers.filter(isServer).filter((server) => !isGone(server)) : [];
}

function isSelf({ process: noted }: RunningServer): boolean {
  const self = ownIdentity();
  return noted.pid === self.pid && isSameMachine(noted, self);
}

function isServer(value: unknown): value is RunningServer {
  const { url, process, store } = fieldsOf(value) as Partial<RunningServer>;
  return typeof url === 'string' && typeof store === 'string' && typeof process?.pid === 'number';
}
