import type { HostedRows } from '../journal/hosted-rows.ts';
import type { SessionId } from '../kernel/ids.ts';
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
        session,
        row: JSON.parse(body) as Row<Identity>,
      }));
      return all.flatMap(({ session, row: { host, hosted } }) =>
        host === undefined || isDead(host) ? [whole(session, hosted)] : [],
      );
    },
    async save(session) {
      await rows.save(
        session.id,
        leavesSomething(session)
          ? JSON.stringify({ state: session.state, host: self, hosted: session })
          : undefined,
      );
    },
    remove: (session) => rows.save(session, undefined),
  };
}

function leavesSomething({ runs, state }: HostedSession): boolean {
  if (state === 'terminating') return true;
  return runs === 'external' && (state === 'spawning' || state === 'active');
}

/** Rows of earlier releases say only that a session was being ended. */
interface Row<Identity> {
  readonly host?: Identity;
  readonly hosted?: HostedSession;
}

function whole(id: SessionId, hosted: HostedSession | undefined): HostedSession {
  if (hosted !== undefined) return hosted;
  const unknown = { agent: '', runs: 'external', role: id, createdAt: 0, lastActiveAt: 0, messages: 0 } as const;
  return { id, state: 'terminating', ...unknown };
}
