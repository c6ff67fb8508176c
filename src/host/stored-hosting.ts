import type { HostedRows } from '../journal/hosted-rows.ts';
import type { HostedSession, HostedStore } from './hosted-session.ts';

/** What a host is in the middle of, in the store of its sessions; one that is cleaned needs no place in it. */
export function createStoredHosting(rows: HostedRows): HostedStore {
  return {
    load: async () => (await rows.load()).map(({ body }) => JSON.parse(body) as HostedSession),
    save: (session) => rows.save(session.id, session.state === 'cleaned' ? undefined : JSON.stringify(session)),
  };
}
