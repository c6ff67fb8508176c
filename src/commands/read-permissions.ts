import type { SessionClient } from '../ports/session-client.ts';
import { noPermissions, permissionsWith, type SessionPermissions } from '../views/session-permissions.ts';

/** Reads the whole session. Its rules are undefined if it isn't stored yet. */
export async function readPermissions(session: SessionClient): Promise<SessionPermissions> {
  let permissions = noPermissions;
  for (let after = 0; ;) {
    const { events, last } = await session.events({ after, limit: 1000 });
    for (const recorded of events) permissions = permissionsWith(permissions, session.id, recorded);
    const end = events.at(-1)?.seq;
    if (end === undefined || end >= last) return permissions;
    after = end;
  }
}
