/**
 * Forks a session: a new session continues from a point in an existing one. The fork shares history by reference:
 * its first event names the spans of the origin's journal, and Rondo copies nothing. Forking only reads the origin,
 * so the origin may be closed, damaged further on, or in the middle of a turn in another process.
 */
import { leastReaderOf } from '../../journal/reader-version.ts';
import type { AppendRequest, Journal } from '../../ports/journal.ts';
import type { Store } from '../../ports/store.ts';
import type { Actor } from '../../kernel/actor.ts';
import { contextFrom } from '../../kernel/context.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { importProblem } from '../../kernel/imported.ts';
import type { InputBody } from '../../kernel/input.ts';
import { limitsBeyondDefaults } from '../../kernel/limits.ts';
import { forkedHome, type Place, type SavedFiles } from '../../kernel/place.ts';
import { newState, type State } from '../../kernel/state.ts';
import { step } from '../../kernel/decide/step.ts';
import { noSession } from '../read/resolve-session-id.ts';
import { loadSession } from '../read/load-session.ts';
import { restAt } from '../read/past-state.ts';
import { project, projectedOf } from '../read/projector.ts';
import { readSpan } from '../read/read-span.ts';
import { timeAt } from '../../kernel/time.ts';
import { optional } from '../../kernel/optional.ts';

/** Where the fork starts, and how it differs from its origin. */
export interface ForkOptions {
  /**
   * The fork includes everything up to the last event at or before this one where the session was idle. Default:
   * all events.
   */
  readonly at?: number;
  readonly title?: string;
  /** Another folder, for a fork that continues without the origin's files. */
  readonly cwd?: string;
  readonly by?: Actor;
  /** Repeating the same key, in any process, returns the same session. */
  readonly key?: string;
}

interface ForkParts {
  readonly store: Pick<Store, 'journal' | 'leases'>;
  readonly newId: () => SessionId;
  readonly now: () => number;
  /** The machine of a given `cwd`. */
  readonly machine?: string;
}

interface Forked {
  readonly session: SessionId;
  readonly origin: SessionId;
  /** The event it continues from. */
  readonly at: number;
}

type Creation = NonNullable<AppendRequest['creation']>;

export async function forkSession(
  { store, newId, now, machine }: ForkParts,
  origin: SessionId,
  { at = Number.MAX_SAFE_INTEGER, title, cwd, by = library, key }: ForkOptions,
): Promise<Forked> {
  const { journal, leases } = store;
  const creation =
    key === undefined ? undefined : { key, digest: JSON.stringify({ fork: origin, at, title, cwd }) };
  const made = await madeBefore(journal, origin, creation);
  if (made !== undefined) return made;
  const head = await journal.head(origin);
  if (head === undefined) throw noSession(origin);
  const isPastEnd = at !== Number.MAX_SAFE_INTEGER && at > head.seq;
  const rest = isPastEnd ? undefined : await restAt(journal, origin, at);
  if (rest === undefined) {
    throw new Fault(
      'not-found',
      `Can't fork session ${origin}: it has no event ${at}. \`rondo show ${origin} --events\` lists them.`,
    );
  }
  const { imported } = (await loadSession(journal, origin))?.state ?? rest;
  const foreign = importProblem({ id: origin, ...optional({ imported }) }, rest.seq);
  if (foreign !== undefined) throw new Fault('not-found', `Can't fork session ${origin}: ${foreign.message}.`);
  const session = newId();
  const clone = cwd === undefined ? await ownClone(journal, rest, session) : undefined;
  const folder =
    cwd === undefined
      ? { ...optional({ machine: rest.machine, place: clone?.place }) }
      : { cwd, ...optional({ machine }) };
  const input = { ...requestOf(rest, title), ...folder, at: timeAt(now()), by };
  const created = step(newState(session), input);
  const { state, events } =
    clone?.saved === undefined
      ? created
      : inSequence(created, step(created.state, { type: 'files-saved', saved: clone.saved, at: input.at, by }));
  const claim = leases.create(session);
  const answer = await journal.append({
    session,
    position: claim.position,
    expected: 0,
    // If the origin is being removed, either this fork keeps it or the fork fails (O11).
    refersTo: originsOf(input),
    records: [{ at: input.at, by, events: events.map(({ event }) => JSON.stringify(event)) }],
    projection: project(projectedOf(newState(session)), state, events),
    leastReader: leastReaderOf(events),
    ...optional({ creation }),
  });
  if (answer.type === 'origin-missing') throw noSession(answer.session);
  if (answer.type !== 'appended') {
    // Another caller created it first with the same key.
    const first = await madeBefore(journal, origin, creation);
    if (first !== undefined) return first;
    throw new Fault(
      'internal',
      `Can't fork session ${origin}: ${session} could not be written (${answer.type}). Nothing changed; retry.`,
    );
  }
  // The first process that uses the fork claims it, which may not be this one.
  await claim.release();
  return { session, origin, at: rest.seq };
}

/**
 * A fork of a session on a repository gets its own clone and branch when it is first opened, with the files that
 * the origin had saved. They are saved a moment after a turn's last event.
 */
async function ownClone(
  journal: Journal,
  { id, seq, place, saved }: State,
  session: SessionId,
): Promise<{ readonly place: Place; readonly saved?: SavedFiles } | undefined> {
  if (place === undefined) return undefined;
  const branch = `${place.branch.replace(/-[^-]*$/, '')}-${session.slice(-6).toLowerCase()}`;
  const next = (await readSpan(journal, id, { from: seq + 1, to: seq + 1 })).at(0)?.event;
  const files = next?.type === 'files-saved' ? next.saved : saved;
  return {
    place: { ...place, branch, home: forkedHome },
    ...(files !== undefined && { saved: { ...files, branch } }),
  };
}

type Step = ReturnType<typeof step>;

function inSequence(first: Step, second: Step): Pick<Step, 'state' | 'events'> {
  return { state: second.state, events: [...first.events, ...second.events] };
}

async function madeBefore(
  journal: Journal,
  origin: SessionId,
  creation: Creation | undefined,
): Promise<Forked | undefined> {
  const made = creation === undefined ? undefined : await journal.createdWith(creation.key);
  if (made === undefined) return undefined;
  if (made.digest !== creation?.digest) {
    throw new Fault(
      'not-found',
      `Can't fork session ${origin}: its key already created session ${made.session}; use a fresh key.`,
    );
  }
  const [first] = await readSpan(journal, made.session, { from: 1, to: 1 });
  const at = first?.event.type === 'session-forked' ? first.event.origin.at : 0;
  return { session: made.session, origin, at };
}

function originsOf({ origin }: ReturnType<typeof requestOf>): readonly SessionId[] {
  if (origin === undefined) return [];
  const { session, context } = origin;
  return [...new Set([session, ...(context.spans ?? []).flatMap((span) => span.session ?? [])])];
}

function requestOf(rest: State, title = rest.title): Extract<InputBody, { type: 'session-requested' }> {
  const { id, seq, agent, mode, cwd, limits, rules, context } = rest;
  const overrides = limitsBeyondDefaults(limits);
  return {
    type: 'session-requested',
    agent,
    mode,
    cwd,
    ...optional({ title }),
    ...(Object.keys(overrides).length > 0 && { limits: overrides }),
    ...(rules.length > 0 && { rules }),
    origin: { session: id, at: seq, context: contextFrom(id, context, seq) },
  };
}

const library: Actor = { type: 'program', name: 'library' };
