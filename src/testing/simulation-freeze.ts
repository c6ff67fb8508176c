/** A stopped process (SIGSTOP): nothing in it moves until it continues, and then everything at once. */
import type { Store } from '../ports/store.ts';
import type { Clock } from '../ports/clock.ts';

interface Freeze {
  readonly isFrozen: boolean;
  freeze(): void;
  thaw(): void;
  /** Calls now, or when the process continues. */
  whenRunning(call: () => void): void;
}

export function createFreeze(): Freeze {
  let isFrozen = false;
  let held: (() => void)[] = [];
  return {
    get isFrozen() {
      return isFrozen;
    },
    freeze() {
      isFrozen = true;
    },
    thaw() {
      isFrozen = false;
      const late = held;
      held = [];
      for (const call of late) call();
    },
    whenRunning(call) {
      if (isFrozen) held.push(call);
      else call();
    },
  };
}

/** Answers on their way reach the process when it continues. */
async function arriving(answer: Promise<unknown>, freeze: Freeze): Promise<unknown> {
  try {
    return await answer;
  } finally {
    if (freeze.isFrozen) await new Promise<void>((resolve) => freeze.whenRunning(resolve));
  }
}

export function freezableClock(clock: Clock, freeze: Freeze): Clock {
  return { ...clock, at: (time, call) => clock.at(time, () => freeze.whenRunning(call)) };
}

/** Delays the store's answers and notifications to a stopped process until it continues. */
export function freezableStore(store: Store, freeze: Freeze): Store {
  const wrapped = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        const isNews = typeof name === 'string' && name.startsWith('on');
        return (...given: readonly unknown[]): unknown => {
          const passed = isNews ? given.map((one) => whenRunning(one)) : given;
          const answer: unknown = Reflect.apply(member, target, passed);
          return answer instanceof Promise ? arriving(answer, freeze) : answer;
        };
      },
    });
  const whenRunning = (listener: unknown): unknown =>
    typeof listener === 'function'
      ? (...news: readonly unknown[]) => freeze.whenRunning(() => void Reflect.apply(listener, undefined, news))
      : listener;
  return {
    ...store,
    journal: wrapped(store.journal),
    leases: wrapped(store.leases),
    inbox: wrapped(store.inbox),
    jobs: wrapped(store.jobs),
    blobs: wrapped(store.blobs),
    upkeep: wrapped(store.upkeep),
    bus: wrapped(store.bus),
  };
}
