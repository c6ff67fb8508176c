/** Follows a session in any process, and moves on to its next owner when it changes hands. */
import { setImmediate } from 'node:timers/promises';

import { Fault } from '../../kernel/fault.ts';
import type { State } from '../../kernel/state.ts';
import { followInto, type FollowOptions, type FollowSink, type FollowSource } from '../follow/follow-into.ts';
import { follow } from '../follow/follow.ts';
import type { Leaving } from '../follow/leaving.ts';
import { listenRemotely } from '../remote/listen-remotely.ts';
import type { LiveSession } from '../live/live-session.ts';
import { readTranscript } from '../read/read-transcript.ts';
import { acquireSession, placedStatus, stateOf, storedStateOf, type HandlePlace } from './session-place.ts';
import { streamingIn } from '../live/streams.ts';
import type { SnapshotView, StreamingText, Update } from '../update.ts';

export function followPlace(
  place: HandlePlace,
  { signal, ...options }: FollowOptions & { readonly signal?: AbortSignal } = {},
): AsyncIterable<Update> {
  const run = (sink: FollowSink, leaving: Leaving) => followAnywhere(place, sink, options, leaving);
  return follow(run, { limit: place.parts.followerLimit, signal });
}

export async function followAnywhere(
  place: HandlePlace,
  sink: FollowSink,
  options: FollowOptions,
  leaving: Leaving,
): Promise<void> {
  const seen = new Map<string, number>();
  const isHere = options.reach === 'here';
  let after = options.after ?? (isHere ? undefined : await showAtRest(place, sink));
  while (!leaving.hasLeft) {
    const live = isHere ? liveHere(place) : await acquireSession(place);
    const from = live === 'remote' ? (after ?? (await stateOf(place)).seq) : 0;
    after = await followInto({
      source: sourceOf(place, live),
      sink,
      listen: (push, end) =>
        live === 'remote' ? listenFrom(place, from, options, push, end) : listenTo(live, sink, push, end),
      leaving,
      seen,
      limit: place.parts.followerLimit,
      window: options.window,
      after,
      movesAt: live === 'remote' ? isTakenOver : undefined,
    });
    if (isOver(live)) return;
  }
}

/** One hop: a node that doesn't own the session sends nobody further. */
function liveHere({ id, parts }: HandlePlace): LiveSession {
  const live = parts.sessions.live(id);
  if (live !== undefined) return live;
  throw new Fault('misdirected', `Session ${id} isn't alive on this node. Look up its owner again.`);
}

/** Shows an idle session before claiming it. Returns the sequence of what it showed. */
async function showAtRest(place: HandlePlace, sink: FollowSink): Promise<number | undefined> {
  const { sessions } = place.parts;
  const state = sessions.live(place.id) === undefined ? await sessions.look(place.id) : undefined;
  if (state === undefined) return undefined;
  sink.tell({ type: 'snapshot', seq: state.seq, view: await viewOf(place, state, []) });
  await setImmediate();
  return state.seq;
}

/** The new owner may be this process. In that case the bus no longer carries the session's text. */
const isTakenOver = ({ recorded }: Extract<Update, { type: 'event' }>) =>
  recorded.event.type === 'session-recovered';

const isOver = (live: LiveSession | 'remote') => live !== 'remote' && live.state.phase.type === 'closed';

function listenTo(
  live: LiveSession,
  { hears = 'at-once' }: FollowSink,
  tell: (update: Update) => void,
  end: () => void,
): () => void {
  const broadcast = live.broadcast();
  return hears === 'at-once' ? broadcast.listen(tell, end) : broadcast.listenByTurns(tell, end);
}

function listenFrom(
  { id, parts }: HandlePlace,
  after: number,
  { for: follower = program }: FollowOptions,
  tell: (update: Update) => void,
  end: () => void,
): () => void {
  const { store, sessions, clock, links } = parts;
  return listenRemotely(store, id, {
    after,
    tell,
    end,
    closing: sessions.closing,
    clock,
    ...(links !== undefined && { links: { to: links, for: follower } }),
  }).stop;
}

const program = { person: { type: 'program', name: 'library' }, role: 'viewer' } as const;

function sourceOf(place: HandlePlace, live: LiveSession | 'remote'): FollowSource {
  const { id, parts } = place;
  const { journal } = parts.store;
  const streaming = () => {
    if (live === 'remote') return undefined;
    // Delivers pending text first. Later, it could belong to a finished text.
    live.broadcast().flush();
    return streamingIn(live.streams);
  };
  // Another process may have taken over a live session without its knowledge. The journal is authoritative.
  const head = async () => (await journal.head(id))?.seq ?? 0;
  return {
    head,
    async read(after) {
      const page = await journal.read(id, { after, limit: 1000 });
      return page.events.map((recorded) => ({ recorded, json: JSON.stringify(recorded.event) }));
    },
    async snapshot(atInstant) {
      // A session that was never written can't be elsewhere.
      const isCurrent = live !== 'remote' && (live.state.seq === 0 || live.state.seq >= (await head()));
      if (isCurrent) {
        live.broadcast().flush();
        atInstant();
      }
      const now = isCurrent ? live.state : await storedStateOf(place);
      return { seq: now.seq, view: await viewOf(place, now, streaming() ?? []) };
    },
    streaming,
  };
}

async function viewOf(
  { id, parts }: HandlePlace,
  now: State,
  streaming: readonly StreamingText[],
): Promise<SnapshotView> {
  const transcript =
    now.seq === 0
      ? { items: [] }
      : await readTranscript(parts.store.journal, id, { until: now.seq, limit: snapshotItems });
  return { status: await placedStatus(parts, now), transcript, streaming };
}

const snapshotItems = 100;
