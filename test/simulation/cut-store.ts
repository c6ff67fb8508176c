/**
 * A store whose n-th call fails, on any port. Run with `at` = 1, 2, 3 … until a run in which `failed()` stays
 * false. So any work on a store is cut before and after each of its reads and writes.
 */
import type { Store } from '../../src/ports/store.ts';
import { Fault } from '../../src/kernel/fault.ts';
import type { Failure } from '../../src/testing/faulty-store.ts';

export interface CutStore extends Store {
  /** True if the call that should fail was made. */
  failed(): boolean;
}

export function createCutStore(
  store: Store,
  { at, failure }: { readonly at: number; readonly failure: Failure },
): CutStore {
  let calls = 0;
  let isDead = false;

  function called(call: () => unknown): unknown {
    if (isDead) return never();
    calls += 1;
    if (calls !== at) return call();
    switch (failure) {
      case 'fail-before':
        return Promise.reject(fault(at));
      case 'fail-after':
        return Promise.resolve(call()).then(() => Promise.reject(fault(at)));
      case 'crash-before':
        isDead = true;
        return never();
      case 'crash-after':
        isDead = true;
        return Promise.resolve(call()).then(never);
    }
  }

  const cut = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        const isPassedOn = typeof name === 'symbol' || name.startsWith('on') || name === 'list';
        if (typeof member !== 'function' || isPassedOn) return member;
        return (...given: readonly unknown[]): unknown =>
          called(() => Reflect.apply(member, target, given) as unknown);
      },
    });
  return {
    ...store,
    journal: { ...cut(store.journal), list: (query) => called(() => store.journal.list(query)) as never },
    leases: cut(store.leases),
    inbox: cut(store.inbox),
    hosted: cut(store.hosted),
    upkeep: cut(store.upkeep),
    blobs: cut(store.blobs),
    failed: () => calls >= at,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function fault(at: number): Fault {
  return new Fault('disk-full', `Call ${at} failed on purpose.`);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
