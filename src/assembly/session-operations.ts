/** Operations on the sessions of one Rondo: create, find, continue, fork, and read without opening. */
import path from 'node:path';

import type { Ids } from '../ports/ids.ts';
import type { DirectoryPage, DirectoryQuery, DirectoryText } from '../ports/journal.ts';
import type { Logger } from '../ports/logger.ts';
import type { ChangesOptions, SessionChanges } from '../ports/session-changes.ts';
import type { TurnReason } from '../ports/session-client.ts';
import type { Actor } from '../kernel/actor.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import type { State } from '../kernel/state.ts';
import { forkSession, type ForkOptions } from '../session/branch/fork-session.ts';
import { filesAt } from '../session/branch/rewind-session.ts';
import { sendInput } from '../session/handle/send-input.ts';
import type { AccessParts } from '../session/handle/session-place.ts';
import { createSession, type Session } from '../session/handle/session.ts';
import { resolveSessionId, noSession } from '../session/read/resolve-session-id.ts';
import { loadSession } from '../session/read/load-session.ts';
import type { SessionStore } from '../upkeep/session-store.ts';
import { openQuestionsOf, type OpenQuestion } from '../views/open-question.ts';
import type { Jobs } from '../workers/jobs.ts';
import type { AgentSource } from './agents/agent-source.ts';
import { configureSession } from './configure-session.ts';
import type { ContinueOptions, CreateOptions, RondoOptions } from './rondo-options.ts';
import { withForeign } from './sessions/foreign-changes.ts';
import { chosenId } from './sessions/chosen-id.ts';
import { lazySessionStore } from './sessions/lazy-session-store.ts';
import { folderForSession } from './sessions/place-session.ts';
import { thisMachine } from './sessions/this-machine.ts';
import type { RepositoryPlaces } from '../places/repository-places.ts';

/** The sessions of one store. */
export interface RondoSessions extends SessionStore {
  /**
   * Creates a session. It is written with its first input, so an unused session leaves no trace. `persist` writes it
   * now.
   */
  create(options?: CreateOptions): Promise<Session>;
  /** Creates a session under a key and writes it at once. Repeating the key, in any process, returns the same session. */
  createOnce(options: () => Promise<CreateOptions>, creation: CreationKey): Promise<CreatedOnce>;
  /** By id, by a unique prefix of one, or `latest`. Rejects with a `Fault` if there is none. */
  open(id: string): Promise<Session>;
  get(id: string): Promise<Session | undefined>;
  list(query?: DirectoryQuery): Promise<DirectoryPage>;
  /** The same page as JSON, for forwarding. */
  listText(query: DirectoryQuery): Promise<DirectoryText>;
  /**
   * Continues an imported session; a person chooses its whole setup, as for a new one. Or continues a session whose
   * folder is on a machine that is gone, in the folder `cwd` of this one and without its files.
   */
  continue(id: string, options?: ContinueOptions): Promise<Session>;
  /** Creates a session that continues from another one, or from an earlier event of it. It shares the history. */
  fork(id: string, options?: ForkOptions): Promise<Session>;
}

interface SessionOperations {
  readonly sessions: RondoSessions;
  /** The session by its whole id, whether or not it exists. */
  handle(id: SessionId): Session;
}

/** A key that creates one session, and a digest of the options it was used with. */
interface CreationKey {
  readonly key: string;
  readonly digest: string;
}

/** The result of `sessions.createOnce`. */
export type CreatedOnce =
  | { readonly type: 'created'; readonly session: Session }
  /** The key already created another session, with other options. */
  | { readonly type: 'conflict'; readonly session: SessionId };

interface OperationParts {
  readonly access: AccessParts;
  readonly options: Pick<RondoOptions, 'limits' | 'worktrees' | 'secrets' | 'checkpoints' | 'places'>;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly agentsIn: (cwd: string) => AgentSource | Promise<AgentSource>;
  /** Throws if this Rondo has no home for clones. */
  readonly places: () => Promise<RepositoryPlaces>;
  /** Open questions of a session and of its workers. */
  readonly questions: Jobs['questions'];
}

const library: Actor = { type: 'program', name: 'library' };
/** A process is known to be gone once it was silent for a whole lease. */
const mostWaitMs = 45_000;

export function createSessionOperations(parts: OperationParts): SessionOperations {
  const { access, options, ids, logger, agentsIn } = parts;
  const { store, sessions, clock } = access;
  const placeOf = (id: SessionId) => ({ id, parts: access });
  const stored = lazySessionStore({
    store,
    clock,
    newId: () => ids.session(),
    ...optional({ secrets: options.secrets }),
    release: (session) => sessions.release(session),
    async forget(removed) {
      await options.checkpoints?.forget(removed);
      if (isInPlaces(removed)) await (await parts.places()).forget(removed.session);
    },
  });

  function isInPlaces({ session, cwd }: { readonly session: SessionId; readonly cwd: string }): boolean {
    const home = options.places?.home;
    return home !== undefined && cwd.startsWith(path.join(home, 'places', session));
  }

  const handle = (id: SessionId): Session =>
    createSession(placeOf(id), {
      close: () => sessions.release(id),
      fork: (given) => fork(id, given),
      why: (event) => why(id, event),
      export: (given) => stored.export(id, given),
      changes: (given) => changes(id, given),
      async sendTo(to, input, given) {
        const isThere = to !== id && (sessions.live(to) ?? (await store.journal.head(to))) !== undefined;
        return sendInput(placeOf(isThere ? to : id), input, given ?? {});
      },
      questionsBelow: () => questionsBelow(id),
    });

  async function created({ key, digest }: CreationKey): Promise<CreatedOnce | undefined> {
    const made = await store.journal.createdWith(key);
    if (made === undefined) return undefined;
    if (made.digest !== digest) return { type: 'conflict', session: made.session };
    return { type: 'created', session: handle(made.session) };
  }

  async function create(setup: CreateOptions = {}, creation?: CreationKey): Promise<Session> {
    const isLive = (id: SessionId) => sessions.live(id) !== undefined;
    const id =
      setup.id === undefined ? ids.session() : await chosenId(setup.id, { isLive, journal: store.journal });
    const { by = library } = setup;
    const folder = await folderOf(id, setup);
    const configured = await configureSession(setup, await agentsIn(folder.config), options.limits);
    const serving = (await access.serving?.(configured)) ?? { type: 'here' };
    if (serving.type === 'nowhere') throw new Fault('conflict', `Can't create a session: ${serving.problem}`);
    const machine = store.isShared === true && serving.type === 'here' ? thisMachine() : undefined;
    const where = folder.place === undefined ? optional({ machine }) : { place: folder.place };
    const live = sessions.create(id, { ...configured, cwd: await folder.open(), ...where }, by, creation);
    if (serving.type === 'elsewhere') {
      await live.persist();
      await sessions.release(id);
    }
    return handle(id);
  }

  /** A new session's folder: a repository's clone, a worktree, or the named one. Opened once the setup is valid. */
  async function folderOf(id: SessionId, setup: CreateOptions) {
    const { repository, title, worktree = false } = setup;
    if (repository !== undefined) {
      const { cwd, place } = await (await parts.places()).open(id, repository, title);
      return { config: cwd, place, open: async () => cwd };
    }
    const cwd = path.resolve(setup.cwd ?? '.');
    const wanted = { cwd, session: id, worktree, title, at: clock.now() };
    return { config: cwd, open: () => folderForSession(wanted, options.worktrees, logger) };
  }

  async function fork(id: SessionId, given: ForkOptions = {}): Promise<Session> {
    await sessions.live(id)?.persist();
    const source = { store, newId: () => ids.session(), now: () => clock.now() };
    const here = given.cwd !== undefined && store.isShared === true ? { machine: thisMachine() } : {};
    return handle((await forkSession({ ...source, ...here }, id, given)).session);
  }

  /** Continues a session without the files that its machine has. */
  async function leaveFolder(id: SessionId, cwd: string, by = library): Promise<void> {
    const { leaveFolder: leave } = await import('../session/branch/leave-folder.ts');
    const until = clock.now() + mostWaitMs;
    const wait = async () => {
      if (clock.now() > until) throw new Error('still owned');
      await new Promise<void>((resolve) => void clock.at(clock.now() + 1_000, resolve));
    };
    await leave({ store, now: () => clock.now(), wait }, id, { cwd, machine: thisMachine(), by });
  }

  /** Reading a session's state doesn't open it. */
  async function lastState(id: SessionId): Promise<State> {
    const state = sessions.live(id)?.context.state ?? (await loadSession(store.journal, id))?.state;
    if (state === undefined) throw noSession(id);
    return state;
  }

  async function why(id: SessionId, event?: number): Promise<TurnReason | undefined> {
    const [{ whyTurn }, { shippedCompilation }] = await Promise.all([
      import('./why-turn.ts'),
      import('./agents/turn-compilation.ts'),
    ]);
    const { agent, cwd } = await lastState(id);
    const turns = (await (await agentsIn(cwd)).turns?.()) ?? shippedCompilation();
    const place = { tools: agent.tools ?? 'all', cwd, turns, event };
    return whyTurn((range) => store.journal.read(id, range), place);
  }

  async function changes(
    id: SessionId,
    { since = 0, patch = false }: ChangesOptions = {},
  ): Promise<SessionChanges> {
    const checkpoint = await filesAt(store.journal, id, since);
    if (checkpoint === undefined) return { type: 'diff', changes: [] };
    const { checkpoints } = options;
    if (checkpoints === undefined) return { type: 'unavailable', message: `Session ${id} keeps no checkpoints.` };
    const state = await lastState(id);
    const result = await checkpoints.changes(state, checkpoint, { patch });
    return typeof result === 'string'
      ? { type: 'unavailable', message: result }
      : { type: 'diff', changes: await withForeign(result, state, store.journal) };
  }

  async function questionsBelow(id: SessionId): Promise<readonly OpenQuestion[]> {
    const open = await parts.questions(id);
    const below = new Set(open.map(({ session }) => session).filter((session) => session !== id));
    return (await Promise.all([...below].map(lastState))).flatMap(openQuestionsOf);
  }

  async function get(id: string): Promise<Session | undefined> {
    const existing = sessions.live(id as SessionId)?.id ?? (await resolveSessionId(store.journal, id));
    return existing === undefined ? undefined : handle(existing);
  }

  async function open(id: string): Promise<Session> {
    const session = await get(id);
    if (session === undefined) throw noSession(id);
    return session;
  }

  const all: RondoSessions = {
    ...stored,
    list: (query = {}) => store.journal.list(query),
    listText: (query) => store.journal.listText(query),
    create: (setup) => create(setup),
    async createOnce(setup, creation) {
      const existing = await created(creation);
      if (existing !== undefined) return existing;
      const session = await create(await setup(), creation);
      try {
        await session.persist();
        return { type: 'created', session };
      } catch (error) {
        // Another caller created it first with the same key.
        const first = await created(creation);
        if (first === undefined) throw error;
        return first;
      }
    },
    open,
    get,
    async continue(id, setup = {}) {
      const session = await open(id);
      const cwd = path.resolve(setup.cwd ?? '.');
      if ((await lastState(session.id)).machine !== undefined) {
        await leaveFolder(session.id, cwd, setup.by);
        return session;
      }
      const { agent, mode, limits, rules } = await configureSession(setup, await agentsIn(cwd), options.limits);
      const receipt = await session.send(
        { type: 'continue', agent, mode, cwd, ...optional({ limits, rules }) },
        { by: setup.by ?? library },
      );
      if (receipt.type === 'accepted') return session;
      throw new Fault('not-found', `Can't continue session ${session.id}: ${receipt.refusal.message}.`);
    },
    fork: async (id, given) => fork((await open(id)).id, given),
  };
  return { sessions: all, handle };
}
