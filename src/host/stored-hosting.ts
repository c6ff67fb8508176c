import type { HostedRows } from '../ports/hosted-rows.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { HostedSession, HostedStore } from './hosted-session.ts';

interface HostProcess<Identity> {
  readonly self: Identity;
  isDead(other: Identity): boolean;
}

/**
 * A host's work in progress, kept in its sessions' store under its process's identity, so that other hosts leave a
 * live host's work alone. Work that leaves nothing behind isn't stored.
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

/** Rows of earlier releases record only that a session was ending. */
interface Row<Identity> {
  readonly host?: Identity;
  readonly hosted?: HostedSession;
}

function whole(id: SessionId, hosted: HostedSession | undefined): HostedSession {
  if (hosted !== undefined) return hosted;
  const unknown = { agent: '', runs: 'external', role: id, createdAt: 0, lastActiveAt: 0, messages: 0 } as const;
  return { id, state: 'terminating', ...unknown };
}
