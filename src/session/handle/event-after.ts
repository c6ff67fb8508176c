import type { Recorded } from '../../kernel/event.ts';
import { listenRemotely } from '../remote/listen-remotely.ts';
import { acquireSession, watchOwner, type HandlePlace } from './session-place.ts';

/**
 * The first matching event after a sequence, for events that are certain to come. If the owner leaves or dies, this
 * process takes over and produces it.
 */
export async function eventAfter(
  place: HandlePlace,
  after: number,
  isWanted: (recorded: Recorded) => boolean,
): Promise<Recorded> {
  const { store, sessions, clock } = place.parts;
  const { promise, resolve, reject } = Promise.withResolvers<Recorded>();
  const listener = listenRemotely(store, place.id, {
    after,
    tell(update) {
      if (update.type === 'event' && isWanted(update.recorded)) resolve(update.recorded);
    },
    end: reject,
    closing: sessions.closing,
    clock,
  });
  const look = async () => void (await acquireSession(place));
  // The owner may already be gone: opening the session here recovers it.
  const stopWatching = watchOwner(place, look, reject, look());
  try {
    return await promise;
  } finally {
    stopWatching();
    listener.stop();
  }
}
