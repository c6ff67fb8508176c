import type { Recorded } from '../../kernel/event.ts';
import { listenRemotely } from '../remote/listen-remotely.ts';
import { findSession, type Place } from './session-place.ts';

/**
 * The first matching event after a sequence, for events that are certain to come. If the owner leaves or dies, this
 * process takes over and produces it.
 */
export async function eventAfter(
  place: Place,
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
  let isOver = false;
  let disarm: (() => void) | undefined;
  const look = async () => void (await findSession(place));
  const lookAgain = () => {
    if (!isOver) disarm = clock.at(clock.now() + ownerCheckMs, () => void look().then(lookAgain, reject));
  };
  // The owner may already be gone: opening the session here recovers it.
  look().then(lookAgain, reject);
  try {
    return await promise;
  } finally {
    isOver = true;
    disarm?.();
    listener.stop();
  }
}

/** How often a waiting caller checks that the session's owner is still alive. */
const ownerCheckMs = 1000;
