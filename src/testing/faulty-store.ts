/**
 * A store that fails on purpose, for fault loops: run with `at` = 1, 2, 3 … until a run in which
 * `failed()` stays false. One append per wrapper fails; all others pass through.
 *
 * - `fail-before`: nothing is written, a `Fault` is thrown (disk full).
 * - `fail-after`: it is written, and a `Fault` is thrown (a lost acknowledgement).
 * - `crash-before`, `crash-after`: as if the process was killed at this instant: neither this append
 *   nor any later call is answered.
 */
import type { AppendAnswer, AppendRequest } from '../ports/journal.ts';
import type { Store } from '../ports/store.ts';
import { Fault } from '../kernel/fault.ts';

/** A store that counts its appends and makes one of them fail. */
export interface FaultyStore extends Store {
  /** Number of appends requested so far. */
  appends(): number;
  /** True if the append that should fail was requested. */
  failed(): boolean;
}

/** How an append goes wrong. */
export type Failure = 'fail-before' | 'fail-after' | 'crash-before' | 'crash-after';

/** A store whose n-th append fails or crashes. */
export function createFaultyStore(
  store: Store,
  { at, failure }: { readonly at: number; readonly failure: Failure },
): FaultyStore {
  if (!Number.isInteger(at) || at < 1)
    throw new RangeError(`The append to fail is a number from 1 on, not ${at}.`);
  let appends = 0;
  let isCrashed = false;

  function append(request: AppendRequest): Promise<AppendAnswer> {
    appends += 1;
    if (appends !== at) return store.journal.append(request);
    switch (failure) {
      case 'fail-before':
        return Promise.reject(fault(at, 'nothing was written'));
      case 'fail-after':
        return store.journal.append(request).then(() => Promise.reject(fault(at, 'the answer was lost')));
      case 'crash-before':
        isCrashed = true;
        return never();
      case 'crash-after':
        // From now on every request comes from a dead process; only this append still goes through.
        isCrashed = true;
        return store.journal.append(request).then(() => never());
    }
  }

  const whileAlive = <Port extends object>(port: Port): Port => silencedWhen(() => isCrashed, port);
  return {
    ...store,
    journal: whileAlive({ ...store.journal, append }),
    leases: whileAlive(store.leases),
    inbox: whileAlive(store.inbox),
    blobs: whileAlive(store.blobs),
    appends: () => appends,
    failed: () => appends >= at,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** The port with every call after the crash unanswered. Closing still works, so that a test can clean up. */
function silencedWhen<Port extends object>(isSilent: () => boolean, port: Port): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function' || name === Symbol.asyncDispose) return member;
      if (typeof name === 'string' && name.startsWith('on')) return member;
      return (...given: readonly unknown[]): unknown =>
        isSilent() ? never() : Reflect.apply(member, target, given);
    },
  });
}

function fault(at: number, what: string): Fault {
  return new Fault('disk-full', `Append ${at} failed on purpose: ${what}.`);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
