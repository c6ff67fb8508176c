import type { Bus } from '../../ports/bus.ts';
import { createListeners } from '../listeners.ts';
import { leaveSeat, type Seat, type Shared } from './shared.ts';

export function createMemoryBus(shared: Shared, seat: Seat): Bus {
  return {
    publish(topic, message) {
      for (const other of shared.seats) {
        if (other === seat || !other.topics.has(topic)) continue;
        // As between processes, a message arrives after the publisher moved on.
        queueMicrotask(() => other.topics.get(topic)?.tell(message));
      }
    },
    subscribe(topic, listener) {
      const listeners = seat.topics.get(topic) ?? createListeners<string>();
      seat.topics.set(topic, listeners);
      const remove = listeners.add(listener);
      return () => {
        remove();
        if (listeners.size === 0 && seat.topics.get(topic) === listeners) seat.topics.delete(topic);
      };
    },
    [Symbol.asyncDispose]: () => {
      leaveSeat(shared, seat, 'closed');
      return Promise.resolve();
    },
  };
}
