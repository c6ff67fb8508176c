/** A queue that one side fills and the other reads until it is closed. */
export interface Channel<Value> extends AsyncIterable<Value> {
  push(value: Value): void;
  close(): void;
}

export function createChannel<Value>(): Channel<Value> {
  const values: Value[] = [];
  let isClosed = false;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  return {
    push(value) {
      values.push(value);
      change();
    },
    close() {
      isClosed = true;
      change();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (values.length > 0) yield* values.splice(0, 1);
        if (isClosed) return;
        await changed.promise;
      }
    },
  };
}
