/** A set of listeners. Additions and removals during a call take effect with the next one. */
export interface Listeners<Value> {
  readonly size: number;
  add(listener: (value: Value) => void): () => void;
  tell(value: Value): void;
  clear(): void;
}

export function createListeners<Value>(): Listeners<Value> {
  let listeners: readonly ((value: Value) => void)[] = [];
  return {
    get size() {
      return listeners.length;
    },
    add(listener) {
      // A listener may be added twice; each addition is removed separately.
      const own = (value: Value) => listener(value);
      listeners = [...listeners, own];
      return () => {
        listeners = listeners.filter((other) => other !== own);
      };
    },
    tell(value) {
      for (const listener of listeners) listener(value);
    },
    clear() {
      listeners = [];
    },
  };
}
