import type { Client } from '../../src/client/client.ts';
import type { SessionId } from '../../src/kernel/ids.ts';

export interface Follower {
  readonly session: SessionId;
  readonly seen: string[];
  readonly client: Client;
}

export function follow(client: Client, session: SessionId): Follower {
  const seen: string[] = [];
  client.follow(
    session,
    {
      update(update) {
        if (update.type === 'event') seen.push(`${update.seq} ${update.event.type}`);
        if (update.type === 'gap' || update.type === 'snapshot') seen.push(update.type);
      },
      problem: ({ code, message }) => void seen.push(`problem ${code}: ${message}`),
    },
    { after: 0 },
  );
  return { session, seen, client };
}
