import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../agents/private-file.ts';
import type { HostedSession, HostedStore } from './hosted-session.ts';

/** What a host is in the middle of, in one private file; a session that is cleaned needs no place in it. */
export function createFileHostedStore(home: string): HostedStore {
  const file = path.join(home, 'hosted.json');
  return {
    load: async () => sessionsIn(await readPrivateJson(file)),
    save: (session) =>
      updatePrivateJson(file, (value) => {
        const others = sessionsIn(value).filter(({ id }) => id !== session.id);
        return { version: 1, sessions: session.state === 'cleaned' ? others : [...others, session] };
      }),
  };
}

function sessionsIn(value: unknown): readonly HostedSession[] {
  const sessions = (value as { sessions?: unknown } | undefined)?.sessions;
  return Array.isArray(sessions) ? (sessions as readonly HostedSession[]) : [];
}
