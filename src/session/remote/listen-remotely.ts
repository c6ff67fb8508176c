/**
 * Updates of a session that another process owns. Events come from the journal. Streamed text comes from the owner's
 * node, or over the bus if the owner has no address.
 */
import type { Store } from '../../ports/store.ts';
import type { Recorded } from '../../kernel/event.ts';
import { Fault, isPassing } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Progress, Update } from '../update.ts';
import type { Follower, RemoteLinks } from './remote-links.ts';

export const progressTopic = (session: SessionId) => `progress:${session}`;
/** Announces a new follower in another process that has none of the streamed text. */
export const joinTopic = 'join';
/** Announces a follower in another process, so that the owner publishes progress. Repeated while it follows. */
export const watchTopic = 'watch';
export const watchIntervalMs = 2000;

interface RemoteListener {
  stop(): void;
}

interface RemoteListening {
  readonly after: number;
  readonly tell: (update: Update) => void;
  /** Called when no more updates will come: the store failed or is closing in this process. */
  readonly end: (why: Error) => void;
  readonly closing: AbortSignal;
  /** Connections to other nodes, and on whose behalf to use them. */
  readonly links?: { readonly to: RemoteLinks; readonly for: Follower };
  readonly clock: { now(): number; at(time: number, call: () => void): () => void };
}

/** News of commits may get lost: a follower that heard nothing looks by itself, less and less often. */
export const quietMs = 5000;
const longestQuietMs = 15_000;
/** Pauses after reads that failed, before the follower gives up. The store has retried each for a while already. */
const pausesMs = [500, 1000, 2000, 4000, 8000];

/** Delivers a remote session's updates in order, from the journal's next commit on. */
export function listenRemotely(store: Store, session: SessionId, listening: RemoteListening): RemoteListener {
  const { tell, end, closing, clock, links } = listening;
  let last = listening.after;
  let isReading = false;
  let isAgain = false;
  let isStopped = false;
  let quiet = quietMs;
  let failures = 0;
  let disarmLook: (() => void) | undefined;

  async function readOn(): Promise<void> {
    do {
      isAgain = false;
      const page = await store.journal.read(session, { after: last });
      failures = 0;
      for (const recorded of page.events) {
        last = recorded.seq;
        quiet = quietMs;
        if (!isStopped) tell(eventUpdate(recorded));
      }
    } while (isAgain && !isStopped);
  }
  const lookIn = (ms: number) => {
    isReading = false;
    if (!isStopped) disarmLook = clock.at(clock.now() + ms, wake);
  };
  function wake(): void {
    isAgain = true;
    if (isReading || isStopped) return;
    isReading = true;
    disarmLook?.();
    readOn().then(
      () => {
        lookIn(quiet);
        quiet = Math.min(quiet * 2, longestQuietMs);
      },
      (error: Error) => {
        const pause = isPassing(error) ? pausesMs[failures++] : undefined;
        if (pause === undefined) finish(error);
        else lookIn(pause);
      },
    );
  }
  let disarm: (() => void) | undefined;
  const watch = (topic: string) => {
    store.bus.publish(topic, session);
    disarm = clock.at(clock.now() + watchIntervalMs, () => watch(watchTopic));
  };
  const offCommit = store.journal.onCommit((commit) => {
    if (commit.session === session) wake();
  });
  const leave: (() => void)[] = [];
  const listenOnBus = () => {
    if (isStopped) return;
    leave.push(
      store.bus.subscribe(progressTopic(session), (message) => tell(JSON.parse(message) as Progress)),
      () => disarm?.(),
    );
    watch(joinTopic);
  };
  const listenToOwner = () => {
    if (links === undefined) return listenOnBus();
    const link = {
      for: links.for,
      after: () => last,
      progress: (progress: Progress) => {
        if (!isStopped) tell(progress);
      },
      committed: (seq: number) => {
        if (seq > last && !isStopped) wake();
      },
      otherwise: listenOnBus,
    };
    leave.push(links.to.follow(session, link));
  };
  const onClosing = () =>
    finish(new Fault('closed', `Stopped following session ${session}: Rondo is closing in this process.`));
  function stop(): void {
    isStopped = true;
    offCommit();
    disarmLook?.();
    for (const each of leave) each();
    closing.removeEventListener('abort', onClosing);
  }
  function finish(why: Error): void {
    if (isStopped) return;
    stop();
    end(why);
  }
  closing.addEventListener('abort', onClosing);
  if (closing.aborted) {
    onClosing();
  } else {
    listenToOwner();
    wake();
  }
  return { stop };
}

function eventUpdate(recorded: Recorded): Update {
  return { type: 'event', recorded, json: JSON.stringify(recorded.event) };
}
