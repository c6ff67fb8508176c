/**
 * Imports a bundle into a store.
 *
 * 1. It reads the bundle twice: the first pass checks everything, the second writes.
 * 2. A session keeps its id if it is well-formed and the store doesn't have it; otherwise it gets a new one, also in references. Its last
 *    event records the import: only the history is imported.
 * 3. A session is listed with its last record. An interrupted import stays invisible and continues when the same
 *    bundle is imported again.
 * 4. Journals that a session only refers to are readable but never listed, so that nobody continues them by
 *    mistake.
 */
import type { BundleSession } from '../journal/bundle/bundle-line.ts';
import { readBundle } from '../journal/bundle/read-bundle.ts';
import type { Store } from '../ports/store.ts';
import { Fault } from '../kernel/fault.ts';
import { isSessionId, type SessionId } from '../kernel/ids.ts';
import type { ImportedFrom } from '../kernel/input.ts';
import { optional } from '../kernel/optional.ts';
import type { State } from '../kernel/state.ts';
import { importedRole, openImport, type SessionWriter } from './imported-session.ts';
import { inspectBundle, type BundleSource, type Inspected } from './inspect-bundle.ts';

interface ImportOptions extends BundleSource {
  readonly store: Pick<Store, 'journal' | 'leases' | 'blobs'>;
  readonly newId: () => SessionId;
  readonly now: () => number;
  /** Import the sound part of a damaged bundle. */
  readonly upToDamage?: boolean;
}

export interface ImportReport {
  readonly sessions: readonly ImportedSession[];
  /** Children that the export left out. */
  readonly leftOut: readonly SessionId[];
  readonly redacted: number;
  /** Why the import is incomplete. */
  readonly damage?: string;
  /** The main session's current state. */
  readonly state: State;
}

interface ImportedSession {
  readonly session: SessionId;
  readonly origin: SessionId;
  readonly role: BundleSession['role'];
  readonly seq: number;
}

export async function importBundle(options: ImportOptions): Promise<ImportReport> {
  const bundle = await inspectBundle(options);
  const [main] = bundle.sessions;
  if (main === undefined) {
    throw new Fault(
      'damaged',
      `Can't import ${options.name}: ${bundle.damage ?? 'it has no session'}. Nothing was written; get the bundle again from its source.`,
    );
  }
  if (bundle.damage !== undefined && options.upToDamage !== true) {
    throw new Fault(
      'damaged',
      `Can't import ${options.name}: ${bundle.damage}. Nothing was written. Get the bundle again, or import its intact part ` +
        'with --up-to-damage.',
    );
  }
  const { store } = options;
  const ids = new Map<SessionId, SessionId>();
  for (const { session, role } of bundle.sessions) {
    // A foreign id may be anything. It becomes a file name, and part of commands that people copy.
    if (!isSessionId(session) || (await isTaken(store, session, role))) ids.set(session, options.newId());
  }
  const states = await write(options, bundle, ids);
  const state = states.get(main.session);
  if (state === undefined)
    throw new Fault(
      'internal',
      `Can't import ${options.name}: session ${main.session} was not written because of an internal error. Import it again.`,
    );
  return {
    sessions: bundle.sessions.map(({ session, role }) => ({
      session: ids.get(session) ?? session,
      origin: session,
      role,
      seq: states.get(session)?.seq ?? 0,
    })),
    leftOut: bundle.end?.leftOut ?? [],
    redacted: bundle.end?.redacted ?? 0,
    ...optional({ damage: bundle.damage }),
    state,
  };
}

/** Whether the id is in use, other than by an interrupted import (records without a directory entry). */
async function isTaken(
  { journal, leases }: ImportOptions['store'],
  session: SessionId,
  role: BundleSession['role'],
): Promise<boolean> {
  const head = await journal.head(session);
  if (head === undefined) return false;
  if (role === 'shared') return true;
  const { entries } = await journal.list({ prefix: session, limit: 2 });
  if (entries.some((entry) => entry.session === session)) return true;
  const { events } = await journal.readBack(session, { before: head.seq + 1, limit: 1 });
  if (events.some(({ event }) => importedRole(event) !== undefined)) return true;
  // Only an import that still runs holds it.
  const answer = await leases.claim(session);
  if (answer.type === 'claimed') await answer.claim.release();
  return answer.type !== 'claimed';
}

async function write(
  options: ImportOptions,
  { head, sessions, damage }: Inspected,
  ids: ReadonlyMap<SessionId, SessionId>,
): Promise<ReadonlyMap<SessionId, State>> {
  const { store } = options;
  const states = new Map<SessionId, State>();
  let writing: SessionWriter | undefined;
  try {
    for await (const item of readBundle(options.open(), `Can't import ${options.name}`)) {
      if (item.type === 'blob') await store.blobs.put(item.content);
      if (item.type !== 'record') continue;
      const plan = sessions.find(({ session }) => session === item.session);
      if (plan === undefined) continue;
      const id = ids.get(item.session) ?? item.session;
      if (writing?.id !== id) writing = await openImport(options, id, plan);
      await writing.add(item, ids);
      if (item.last < plan.sound) continue;
      const isCut = plan.sound < plan.head;
      const { parent } = writing.state();
      const isFamily = sessions.some(({ session }) => (ids.get(session) ?? session) === parent);
      const from: ImportedFrom = {
        session: item.session,
        head: plan.head,
        role: plan.role,
        ...optional({ rondo: head?.rondo }),
        ...(isCut && damage !== undefined && { damage }),
        ...(parent !== undefined && isFamily && { parent }),
      };
      states.set(item.session, await writing.finish(from));
      writing = undefined;
    }
  } catch (error) {
    // A retry, in this process or another, continues it.
    await writing?.release().catch(() => undefined);
    throw error;
  }
  return states;
}
