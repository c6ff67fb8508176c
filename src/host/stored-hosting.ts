import type { HostedRows } from '../journal/hosted-rows.ts';
import type { HostedSession, HostedStore } from './hosted-session.ts';

export interface HostProcess<Identity> {
  readonly self: Identity;
  isDead(other: Identity): boolean;
}

/**
 * What a host is in the middle of, in the store of its sessions, with the name of its process: what a living
 * one is in the middle of is not for others. What leaves nothing behind needs no place in it.
 */
export function createStoredHosting<Identity>(
  rows: HostedRows,
  { self, isDead }: HostProcess<Identity>,
): HostedStore {
  return {
    async load() {
      const all = (await rows.load()).map(({ session, body }) => ({
        ...(JSON.parse(body) as Partial<HostedSession> & { readonly host?: Identity }),
        id: session,
      }));
      return all
        .filter(({ host }) => host === undefined || isDead(host))
        .map(({ host: _, ...kept }) => whole(kept));
    },
    async save(session) {
      await rows.save(
        session.id,
        leavesSomething(session) ? JSON.stringify({ ...session, host: self }) : undefined,
      );
    },
    remove: (session) => rows.save(session, undefined),
  };
}

function leavesSomething({ runs, state }: HostedSession): boolean {
  if (state === 'terminating') return true;
  return runs === 'external' && (state === 'spawning' || state === 'active');
}

/** Rows of earlier releases say only that a session was being ended, and why. */
function whole(kept: Partial<HostedSession> & Pick<HostedSession, 'id'>): HostedSession {
  const unknown = {
    agent: '',
    runs: 'external',
    role: kept.id,
    createdAt: 0,
    lastActiveAt: 0,
    messages: 0,
  } as const;
  return { ...unknown, state: 'terminating', ...kept };
}
