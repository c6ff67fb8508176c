import type { Bus } from '../../ports/bus.ts';
import type { NatsClient } from './nats-client.ts';
import type { StoreLayout } from './store-layout.ts';

/** Messages between processes over core subjects. The connection doesn't echo. */
export function createNatsBus({ connection, mostBytes }: NatsClient, layout: StoreLayout): Bus {
  const subjectOf = (topic: string) => layout.core('bus', topic);
  return {
    publish(topic, message) {
      // Best effort: a message that doesn't fit is read from the journal.
      if (!connection.isClosed() && Buffer.byteLength(message) <= mostBytes)
        connection.publish(subjectOf(topic), message);
    },
    subscribe(topic, listener) {
      const subscription = connection.subscribe(subjectOf(topic), {
        callback: (_error, message) => listener(message.string()),
      });
      return () => subscription.unsubscribe();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
