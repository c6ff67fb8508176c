/**
 * A bundle into a store.
 *
 * 1. It is read twice: first everything is checked and nothing written, then it is written.
 * 2. A session keeps its id where the store does not know it; else it gets a new one, its origin is
 *    recorded as its last event, and whatever in the bundle names it names it by the new id.
 * 3. A session is listed with its last record: an import that was broken off is not seen, and goes on
 *    where it was when the same bundle is imported again.
 * 4. What a session only refers to is there to be read and never listed, so that nobody goes on with it.
 */
import type { BundleEnd, BundleHead, BundleSession } from '../journal/bundle/bundle-line.ts';
import { readBundle, type BundleItem } from '../journal/bundle/read-bundle.ts';
import type { NewRecord } from '../journal/journal.ts';
import type { Store } from '../journal/store.ts';
import { system, type Actor } from '../kernel/actor.ts';
import type { Event, Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { brokenInvariants } from '../kernel/invariants.ts';
import type { State } from '../kernel/state.ts';
import { createSessionFold, type SessionFold } from '../session/fold-session.ts';
import { stateVersion } from '../session/snapshot-keeper.ts';
import { renameIn } from './rename-session.ts';

export interface ImportOptions {
  readonly store: Pick<Store, 'journal' | 'leases' | 'blobs'>;
  /** The bundle from its beginning; called twice. */
  readonly open: () => AsyncIterable<string>;
  /** For messages. */
  readonly name: string;
  readonly newId: () => SessionId;
  readonly now: () => number;
  /** Takes what is sound of a bundle that is not. */
  readonly upToDamage?: boolean;
}

export interface ImportReport {
  readonly sessions: readonly ImportedSession[];
  /** Children that were left out when it was exported. */
  readonly leftOut: readonly SessionId[];
  readonly redacted: number;
  /** Why not everything was taken. */
  readonly damage?: string;
  /** The main session as it stands now. */
  readonly state: State;
}

export interface ImportedSession {
  readonly session: SessionId;
  readonly origin: SessionId;
  readonly role: BundleSession['role'];
  readonly seq: number;
}

export async function importBundle(options: ImportOptions): Promise<ImportReport> {
  const found = await inspect(options);
  if (found.damage !== undefined && options.upToDamage !== true) {
    throw new Fault(
      'damaged',
      `Importing ${options.name}: ${found.damage}. Nothing was written; get the bundle again, or take what is sound ` +
        'of it with --up-to-damage.',
    );
  }
  const [main] = found.sessions;
  if (main === undefined) {
    throw new Fault(
      'damaged',
      `Importing ${options.name}: ${found.damage ?? 'it holds no session'}. Nothing was written.`,
    );
  }
  const { store } = options;
  const ids = new Map<SessionId, SessionId>();
  for (const { session, role } of found.sessions) {
    if (await isTaken(store, session, role)) ids.set(session, options.newId());
  }
  const states = await write(options, found, ids);
  const state = states.get(main.session);
  if (state === undefined)
    throw new Fault('internal', `Importing ${options.name}: session ${main.session} was not written.`);
  return {
    sessions: found.sessions.map(({ session, role }) => ({
      session: ids.get(session) ?? session,
      origin: session,
      role,
      seq: states.get(session)?.seq ?? 0,
    })),
    leftOut: found.end?.leftOut ?? [],
    redacted: found.end?.redacted ?? 0,
    ...(found.damage !== undefined && { damage: found.damage }),
    state,
  };
}

interface Inspected {
  readonly head: BundleHead | undefined;
  readonly end: BundleEnd | undefined;
  /** With how far each of them is sound; those of which nothing is are left out. */
  readonly sessions: readonly (BundleSession & { readonly sound: number })[];
  readonly damage: string | undefined;
}

async function inspect({ open, name }: ImportOptions): Promise<Inspected> {
  let head: BundleHead | undefined;
  let end: BundleEnd | undefined;
  let damage: string | undefined;
  const roles = new Map<SessionId, BundleSession>();
  const reached = new Map<SessionId, number>();
  let fold: SessionFold | undefined;
  for await (const item of readBundle(open(), `Importing ${name}`)) {
    if (item.type === 'bundle') head = item;
    else if (item.type === 'session') {
      roles.set(item.session, item);
      fold = createSessionFold(item.session);
    } else if (item.type === 'record') {
      damage = problemOfFolding(fold, item);
      if (damage !== undefined) break;
      reached.set(item.session, item.last);
    } else if (item.type === 'end') end = item;
    else if (item.type === 'problem') damage = item.what;
  }
  const sessions = [...reached].flatMap(([session, sound]) => {
    const line = roles.get(session);
    return line === undefined ? [] : [{ ...line, sound }];
  });
  return { head, end, sessions, damage };
}

/**
 * Its hashes are no signature: whoever changed a bundle may have sealed it again. Events that make no session
 * are found here, before anything is written.
 */
function problemOfFolding(
  fold: SessionFold | undefined,
  { session, first, events }: Extract<BundleItem, { type: 'record' }>,
): string | undefined {
  const wrong = (why: string) => `the record at ${first} of session ${session} cannot be followed: ${why}`;
  if (fold === undefined) return undefined;
  try {
    fold.add(events);
    JSON.stringify(fold.shown());
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  const broken = brokenInvariants(fold.state);
  return broken.length === 0
    ? undefined
    : wrong(`behind it the session breaks ${broken.join(', ')} of docs/SPEC.md`);
}

/** Known here, and not what an import that was broken off left: records, and no place in the list. */
async function isTaken(
  { journal, leases }: ImportOptions['store'],
  session: SessionId,
  role: BundleSession['role'],
): Promise<boolean> {
  const head = await journal.head(session);
  if (head === undefined) return false;
  if (role === 'shared' || (await leases.ownerOf(session)) !== undefined) return true;
  const { entries } = await journal.list({ prefix: session, limit: 2 });
  if (entries.some((entry) => entry.session === session)) return true;
  const { events } = await journal.readBack(session, { before: head.seq + 1, limit: 1 });
  return events.some(({ event }) => event.type === 'custom' && event.name === importedEvent);
}

async function write(
  options: ImportOptions,
  { head, sessions, damage }: Inspected,
  ids: ReadonlyMap<SessionId, SessionId>,
): Promise<ReadonlyMap<SessionId, State>> {
  const { store } = options;
  const states = new Map<SessionId, State>();
  let writing: SessionWriter | undefined;
  for await (const item of readBundle(options.open(), `Importing ${options.name}`)) {
    if (item.type === 'blob') await store.blobs.put(item.content);
    if (item.type !== 'record') continue;
    const plan = sessions.find(({ session }) => session === item.session);
    if (plan === undefined) continue;
    const id = ids.get(item.session) ?? item.session;
    if (writing?.id !== id) writing = await openSession(options, id, plan);
    await writing.add(item, ids);
    if (item.last < plan.sound) continue;
    const isCut = plan.sound < plan.head;
    const note = { session: item.session, head: plan.head, rondo: head?.rondo, role: plan.role };
    const isNoted = id !== item.session || isCut || plan.role === 'shared';
    states.set(item.session, await writing.finish(isNoted ? { ...note, ...(isCut && { damage }) } : undefined));
    writing = undefined;
  }
  return states;
}

interface SessionWriter {
  readonly id: SessionId;
  add(record: Extract<BundleItem, { type: 'record' }>, ids: ReadonlyMap<SessionId, SessionId>): Promise<void>;
  /** The last append, with which the session is listed. */
  finish(origin: unknown): Promise<State>;
}

const recordsAtOnce = 200;
const importer: Actor = { type: 'program', name: 'import' };

async function openSession(
  { store, now, name }: ImportOptions,
  id: SessionId,
  plan: BundleSession,
): Promise<SessionWriter> {
  const { journal, leases } = store;
  const fold = createSessionFold(id);
  const known = await journal.head(id);
  const claim = known === undefined ? undefined : await leases.claim(id);
  if (claim?.type === 'held')
    throw new Fault('busy', `Importing ${name}: another process works on session ${id}.`);
  const epoch = claim?.epoch ?? 1;
  const there = known?.seq ?? 0;
  let waiting: NewRecord[] = [];
  let expected = there;

  async function append(projection?: Parameters<typeof journal.append>[0]['projection']): Promise<void> {
    if (waiting.length === 0) return;
    const answer = await journal.append({
      session: id,
      epoch,
      expected,
      records: waiting,
      ...(projection !== undefined && { projection }),
    });
    if (answer.type !== 'appended') {
      throw new Fault('closed', `Importing ${name}: somebody else writes to session ${id}. Import it again.`);
    }
    expected = answer.seq;
    waiting = [];
  }

  return {
    id,
    async add(record, ids) {
      const events = record.events.map((recorded): Recorded => ({
        ...recorded,
        event: renameIn(recorded.event, ids),
      }));
      fold.add(events);
      if (record.last <= there) return;
      const [{ at, by } = { at: 0, by: system }] = events;
      if (waiting.length >= recordsAtOnce) await append();
      waiting.push({
        at,
        by,
        events: events.map(({ event }) => JSON.stringify(event)),
        ...(record.key !== undefined && { key: record.key }),
      });
    },
    async finish(origin) {
      if (origin !== undefined) {
        const event: Event = { type: 'custom', name: importedEvent, data: origin };
        const at = now();
        fold.add([{ seq: fold.state.seq + 1, at, by: importer, event }]);
        waiting.push({ at, by: importer, events: [JSON.stringify(event)] });
      }
      const { entry, questions, due } = fold.shown();
      const isListed = plan.role !== 'shared';
      await append(isListed && entry !== undefined ? { entry, questionsOpened: questions, due } : undefined);
      const { state } = fold;
      const snapshot = { seq: state.seq, version: stateVersion, body: JSON.stringify(state) };
      await journal.saveSnapshot(id, snapshot);
      await leases.release(id, epoch);
      return state;
    },
  };
}

/** The custom event that says where a session came from. */
export const importedEvent = 'rondo.imported';
