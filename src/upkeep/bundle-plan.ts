/**
 * The content of a session's bundle: the session, the journals it refers to as a fork, and its children if they are
 * small.
 */
import type { BundlePlan } from '../journal/bundle/write-bundle.ts';
import type { BundleSession } from '../journal/bundle/bundle-line.ts';
import type { Journal } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import type { SessionId } from '../kernel/ids.ts';
import { noSession } from '../session/read/resolve-session-id.ts';
import { optional } from '../kernel/optional.ts';

export type ChildrenWanted = 'small' | 'all' | 'none';

/** The most events of all children together. */
const smallEvents = 50_000;

export async function planBundle(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  session: SessionId,
  options: { readonly at: number; readonly children: ChildrenWanted; readonly redact?: BundlePlan['redact'] },
): Promise<BundlePlan> {
  const head = await journal.head(session);
  if (head === undefined) throw noSession(session);
  const main: BundleSession = { type: 'session', session, head: head.seq, role: 'main' };
  const children = await descendantsOf(journal, session);
  const events = children.reduce((sum, child) => sum + child.head, 0);
  const isWanted = options.children === 'all' || (options.children === 'small' && events <= smallEvents);
  const taken = [main, ...(isWanted ? children : [])];
  const shared = await sharedBy({ journal, upkeep }, taken);
  return {
    sessions: [...taken, ...shared],
    leftOut: isWanted ? [] : children.map((child) => child.session),
    at: options.at,
    ...optional({ redact: options.redact }),
  };
}

async function descendantsOf(journal: Journal, parent: SessionId): Promise<readonly BundleSession[]> {
  const sessions: BundleSession[] = [];
  const parents = [parent];
  const seen = new Set<SessionId>(parents);
  for (let next = parents.shift(); next !== undefined; next = parents.shift()) {
    let cursor: string | undefined;
    do {
      const page = await journal.list({ parent: next, ...optional({ cursor }) });
      for (const { session } of page.entries) {
        const head = seen.has(session) ? undefined : await journal.head(session);
        seen.add(session);
        if (head === undefined) continue;
        sessions.push({ type: 'session', session, head: head.seq, role: 'child' });
        parents.push(session);
      }
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
  return sessions;
}

async function sharedBy(
  { journal, upkeep }: Pick<Store, 'journal' | 'upkeep'>,
  taken: readonly BundleSession[],
): Promise<readonly BundleSession[]> {
  const forks = new Map((await upkeep.forks()).map(({ session, refersTo }) => [session, refersTo]));
  const ids = new Set(taken.map(({ session }) => session));
  const wanted = taken.flatMap(({ session }) => forks.get(session) ?? []);
  const shared: BundleSession[] = [];
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const head = ids.has(next) ? undefined : await journal.head(next);
    ids.add(next);
    if (head === undefined) continue;
    shared.push({ type: 'session', session: next, head: head.seq, role: 'shared' });
    wanted.push(...(forks.get(next) ?? []));
  }
  return shared;
}
