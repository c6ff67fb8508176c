import type { Journal } from '../../ports/journal.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';

/** Finds a stored session by its id, by a unique prefix of it, or as `latest`. */
export async function resolveSessionId(journal: Journal, id: string): Promise<SessionId | undefined> {
  if ((await journal.head(id as SessionId)) !== undefined) return id as SessionId;
  const page = await journal.list(id === 'latest' ? { limit: 1 } : { prefix: id, limit: 2 });
  const [entry, other] = page.entries;
  if (other !== undefined) {
    throw new Fault('not-found', `Several sessions start with ${id}; give more of the id.`);
  }
  return entry?.session;
}

export function noSession(id: string): Fault {
  return new Fault('not-found', `Unknown session ${id} in this store; \`rondo ls\` lists them.`);
}
