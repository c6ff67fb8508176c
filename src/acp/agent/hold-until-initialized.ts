import type { AnyMessage, Stream } from '@agentclientprotocol/sdk';

/**
 * Some editors send `session/new` without waiting for the answer to `initialize`, which the SDK refuses. This holds
 * such messages until the answer is sent.
 */
export function holdUntilInitialized({ readable, writable }: Stream): Stream {
  let initializing: string | number | undefined;
  let answered = Promise.withResolvers<void>();
  const held = new TransformStream<AnyMessage, AnyMessage>({
    async transform(message, controller) {
      if (initializing !== undefined) await answered.promise;
      const id =
        'method' in message && message.method === 'initialize' && 'id' in message ? message.id : undefined;
      // Nothing to wait for if the id is invalid: its answer can't be recognized.
      if (typeof id === 'string' || typeof id === 'number') {
        answered = Promise.withResolvers();
        initializing = id;
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
