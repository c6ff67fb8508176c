/**
 * Where a session lives: in this process, or `remote` in another one. Reading works in both cases. Functions take a
 * place so that all handles share them, since there may be many.
 */
import type { Store } from '../../ports/store.ts';
import type { AgentRef } from '../../kernel/agent.ts';
import type { Body } from '../../kernel/content.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { optional } from '../../kernel/optional.ts';
import type { State } from '../../kernel/state.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Status } from '../../views/status.ts';
import type { Translation } from '../client-input.ts';
import type { InputType } from '../input-type.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { LineInputParts } from '../line-input.ts';
import type { LiveSession } from '../live/live-session.ts';
import { loadSession } from '../read/load-session.ts';
import { readStatus } from '../read/read-status.ts';
import type { RemoteLinks } from '../remote/remote-links.ts';
import type { Serving } from '../ownership/serving.ts';
import type { Sessions } from '../ownership/sessions.ts';

export interface HandlePlace {
  readonly id: SessionId;
  readonly parts: AccessParts;
}

export interface AccessParts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly interpreter: Interpreter;
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
  readonly unique: () => string;
  readonly agent: (name: string, state: State) => Promise<AgentRef | undefined>;
  readonly understand?: Translation['understand'];
  readonly expand?: Translation['expand'];
  /** Workers' questions that block a session, in any process. */
  readonly heldUpBy?: (session: SessionId) => Promise<readonly OpenQuestion[]>;
  readonly modelProblem?: Translation['modelProblem'];
  /** Where a session of an agent can run. Absent: here. */
  readonly serving?: (session: Pick<State, 'agent' | 'machine'> & { readonly id?: SessionId }) => Promise<Serving>;
  /** The machine with a session's folder, if nothing runs there. */
  readonly goneMachine?: (session: Pick<State, 'machine'>) => Promise<string | undefined>;
  /** The labels that it needs and no running node offers. */
  readonly missingLabels?: (session: Pick<State, 'agent'>) => Promise<readonly string[]>;
  /** The program's custom input types, by name. */
  readonly inputs?: Readonly<Record<string, InputType>>;
  /** A session's tools, for modes where a line may be a call. */
  readonly offered?: LineInputParts['tools'];
  /** Connections to other nodes. */
  readonly links?: RemoteLinks;
  /** How many updates a follower may lag before it gets a gap and a snapshot. */
  readonly followerLimit: number;
}

/** Synchronous if the session is alive here. */
export function acquireSession({
  id,
  parts: { sessions },
}: HandlePlace): LiveSession | Promise<LiveSession | 'remote'> {
  const current = sessions.acquire(id);
  return current instanceof Promise ? current.then((opened) => reached(id, opened)) : current;
}

function reached(
  id: SessionId,
  current: LiveSession | { readonly owner: unknown } | undefined,
): LiveSession | 'remote' {
  if (current === undefined) {
    throw new Fault('not-found', `Unknown session ${id} in this store; \`rondo ls\` lists them.`);
  }
  return 'submit' in current ? current : 'remote';
}

export async function stateOf(place: HandlePlace): Promise<State> {
  const { sessions } = place.parts;
  const read = sessions.live(place.id) === undefined ? await sessions.look(place.id) : undefined;
  if (read !== undefined) return read;
  const live = await acquireSession(place);
  if (live === 'remote') return storedStateOf(place);
  const settling = live.settled();
  if (settling !== undefined) await settling;
  return live.state;
}

/** The status, with what only the store knows. */
export async function placedStatus(
  { store, goneMachine, missingLabels }: AccessParts,
  state: State,
): Promise<Status> {
  const status = await readStatus(store.journal, state);
  const gone = state.machine === undefined ? undefined : await goneMachine?.(state);
  const missing = state.agent.needs === undefined ? [] : ((await missingLabels?.(state)) ?? []);
  if (gone === undefined && missing.length === 0) return status;
  return { ...status, ...optional({ goneMachine: gone }), ...(missing.length > 0 && { missingLabels: missing }) };
}

export async function storedStateOf({ id, parts: { store } }: HandlePlace): Promise<State> {
  const loaded = await loadSession(store.journal, id);
  if (loaded === undefined)
    throw new Fault(
      'not-found',
      `Can't read session ${id}: it was removed from the store. \`rondo ls\` lists the others.`,
    );
  return loaded.state;
}

/** Checks once a second, after `ready`, that a session's owner didn't leave or die while a caller waits for it. */
export function watchOwner(
  { parts: { clock } }: HandlePlace,
  check: () => Promise<void>,
  fail: (error: Error) => void,
  ready = Promise.resolve(),
): () => void {
  let isOver = false;
  let disarm: (() => void) | undefined;
  const again = () => {
    if (!isOver) disarm = clock.at(clock.now() + ownerCheckMs, () => void check().then(again, fail));
  };
  ready.then(again, fail);
  return () => {
    isOver = true;
    disarm?.();
  };
}

const ownerCheckMs = 1000;

export async function readBody({ store }: AccessParts, body: Body): Promise<string> {
  if (typeof body === 'string') return body;
  return (await store.blobs.get(body.blob)) ?? body.preview;
}
