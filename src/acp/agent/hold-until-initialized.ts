import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

/**
 * Some editors send `session/new` without waiting for the answer to `initialize`, which the SDK refuses. This holds
 * such messages until the answer is sent.
 */
export function holdUntilInitialized({ readable, writable }: Stream): Stream {
  let initializing: unknown;
  let answered = Promise.withResolvers<void>();
  const held = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      if (initializing !== undefined) await answered.promise;
      if ('method' in message && message.method === 'initialize' && 'id' in message) {
        answered = Promise.withResolvers();
        initializing = message.id;
      }
      controller.enqueue(message);
    },
  });
  const output = writable.getWriter();
  return {
    readable: readable.pipeThrough(held),
    writable: new WritableStream<AnyMessage>({
      async write(message) {
        await output.write(message);
        if (initializing === undefined || !('id' in message) || message.id !== initializing) return;
        initializing = undefined;
        answered.resolve();
      },
      close: () => output.close(),
      abort: (reason) => output.abort(reason),
    }),
  };
}
