import type { Bus } from '../journal/bus.ts';
import type { SessionId } from '../kernel/ids.ts';
import { streamSoFar } from './follow.ts';
import type { LiveSession } from './live-session.ts';
import { progressTopic, watchIntervalMs, watchTopic } from './remote-session.ts';
import type { Update } from './update.ts';

/**
 * Sends the text being streamed in this process to followers in others, for as long as one of them
 * says that it follows: a session that nobody watches from elsewhere costs nothing.
 */
export function publishProgress(
  bus: Bus,
  liveSession: (session: SessionId) => LiveSession | undefined,
  clock: { now(): number; at(time: number, call: () => void): () => void },
): () => void {
  const watched = new Map<SessionId, { until: number; stop: () => void }>();

  function start(session: SessionId, live: LiveSession): void {
    const send = (update: Update) => {
      if (update.type === 'progress') bus.publish(progressTopic(session), JSON.stringify(update));
    };
    for (const stream of live.streams.current()) for (const progress of streamSoFar(stream)) send(progress);
    const unlisten = live.listen(send, () => end(session));
    const entry = { until: clock.now() + patienceMs, stop: unlisten };
    const check = () => {
      if (clock.now() >= entry.until) return end(session);
      const disarm = clock.at(entry.until, check);
      entry.stop = () => {
        disarm();
        unlisten();
      };
    };
    watched.set(session, entry);
    check();
  }

  function end(session: SessionId): void {
    watched.get(session)?.stop();
    watched.delete(session);
  }

  const unsubscribe = bus.subscribe(watchTopic, (message) => {
    const session = message as SessionId;
    const entry = watched.get(session);
    if (entry !== undefined) {
      entry.until = clock.now() + patienceMs;
      return;
    }
    const live = liveSession(session);
    if (live !== undefined) start(session, live);
  });
  return () => {
    unsubscribe();
    for (const session of watched.keys()) end(session);
  };
}

/** A follower repeats itself every interval; missing two of its words means that it is gone. */
const patienceMs = 3 * watchIntervalMs;
