import type { Bus } from '../../ports/bus.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { streamSoFar } from '../follow/stream-position.ts';
import type { LiveSession } from '../live/live-session.ts';
import { joinTopic, progressTopic, watchIntervalMs, watchTopic } from './listen-remotely.ts';
import { streamingIn } from '../live/streams.ts';
import type { Update } from '../update.ts';

/**
 * Sends streamed text to followers in other processes while at least one announces itself. A session without remote
 * followers costs nothing.
 */
export function publishProgress(
  bus: Bus,
  liveSession: (session: SessionId) => LiveSession | undefined,
  clock: { now(): number; ticks(): number; at(time: number, call: () => void): () => void },
): () => void {
  const watched = new Map<SessionId, { until: number; stop: () => void }>();

  function sendTo(session: SessionId, update: Update): void {
    if (update.type === 'progress') bus.publish(progressTopic(session), JSON.stringify(update));
  }

  /** For a new follower. The others already have it and ignore it. */
  function sendSoFar(session: SessionId, live: LiveSession): void {
    for (const stream of streamingIn(live.streams)) {
      for (const progress of streamSoFar(stream)) sendTo(session, progress);
    }
  }

  function start(session: SessionId, live: LiveSession): void {
    const send = (update: Update) => sendTo(session, update);
    sendSoFar(session, live);
    const unlisten = live.broadcast().listen(send, () => end(session));
    const entry = { until: clock.ticks() + patienceMs, stop: unlisten };
    const check = () => {
      if (clock.ticks() >= entry.until) return end(session);
      const disarm = clock.at(clock.now() + entry.until - clock.ticks(), check);
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

  function heard(word: 'joins' | 'stays', session: SessionId): void {
    const live = liveSession(session);
    const entry = watched.get(session);
    if (entry !== undefined) {
      entry.until = clock.ticks() + patienceMs;
      if (word === 'joins' && live !== undefined) sendSoFar(session, live);
    } else if (live !== undefined) start(session, live);
  }

  const stopListening = [
    bus.subscribe(watchTopic, (message) => heard('stays', message as SessionId)),
    bus.subscribe(joinTopic, (message) => heard('joins', message as SessionId)),
  ];
  return () => {
    for (const stop of stopListening) stop();
    for (const session of watched.keys()) end(session);
  };
}

/** A follower announces itself every interval. After two missed announcements it counts as gone. */
const patienceMs = 3 * watchIntervalMs;
