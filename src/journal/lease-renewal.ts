/**
 * This process's lease, renewed every fifth of it. It counts from when a renewal was sent, on a clock that includes
 * sleep (O5).
 */
import type { Standing } from '../ports/lease.ts';
import { createListeners, type Listeners } from './listeners.ts';
import type { StoreClock } from './store-clock.ts';

interface LeaseRenewal {
  /** Milliseconds since boot. */
  now(): number;
  /** Starts the lease, unless it already runs. */
  start(sentAt: number): void;
  /** Rejects if the store doesn't answer. */
  renew(): Promise<void>;
  standing(): Standing;
  onStanding: Listeners<Standing>['add'];
  onRenewed: Listeners<number>['add'];
  stop(): void;
}

interface RenewalParts {
  /** Raises the lease count; `lost` if another process took the lease. */
  readonly renew: () => Promise<unknown>;
  readonly clock: StoreClock;
  readonly leaseMs: number;
}

/** Effects stop this long before another process may take over. */
const stopMs = 5000;

export function createLeaseRenewal(
  { renew: sendRenewal, clock, leaseMs }: RenewalParts,
  on: { readonly onLost: () => void; readonly onRenewed: () => void },
): LeaseRenewal {
  const standings = createListeners<Standing>();
  const renewals = createListeners<number>();
  const mayRunMs = leaseMs - Math.min(stopMs, leaseMs / 3);
  const sureMs = (2 * leaseMs) / 5;
  const now = () => clock.uptime();
  /** Undefined while nothing is owned. */
  let sentAt: number | undefined;
  let sent = { day: 0, ticks: 0 };
  let reported: Standing = 'sure';
  /** Somebody who asked learned that the lease isn't certain, and waits until it is. */
  let isAwaited = false;
  let renewing: Promise<void> | undefined;
  let stopTimer: (() => void) | undefined;

  function standing(): Standing {
    if (sentAt === undefined || isSurelyRecent()) return 'sure';
    const elapsed = now() - sentAt;
    if (elapsed >= mayRunMs) return 'lapsed';
    return elapsed > sureMs ? 'unsure' : 'sure';
  }

  /** Reading the uptime costs a file read, and sleep also shows in the time of day. */
  function isSurelyRecent(): boolean {
    const byDay = clock.now() - sent.day;
    return byDay >= 0 && byDay <= sureMs && performance.now() - sent.ticks <= sureMs;
  }

  function count(from: number, day: number): void {
    sentAt = from;
    sent = { day, ticks: performance.now() };
  }

  /** Between two beats the lease may become uncertain and certain again: only those who asked know. */
  function report(): void {
    const current = standing();
    const isDue = current !== reported || (isAwaited && current === 'sure');
    if (current === 'sure') isAwaited = false;
    if (!isDue) return;
    reported = current;
    standings.tell(current);
  }

  async function renewOnce(): Promise<void> {
    const [began, day] = [now(), clock.now()];
    const answer = await sendRenewal();
    if (answer === 'lost') {
      sentAt = undefined;
      stopTimer?.();
      stopTimer = undefined;
      on.onLost();
    } else {
      count(began, day);
      on.onRenewed();
      renewals.tell(mayRunMs - (now() - began));
    }
    report();
  }

  const renew = () =>
    (renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    }));

  function beat(): void {
    // Reports a sleep before the renewal that ends it.
    report();
    renew().catch(() => undefined);
  }

  return {
    now,
    start(at) {
      if (sentAt === undefined) {
        count(at, clock.now());
        renewals.tell(mayRunMs - (now() - at));
      }
      stopTimer ??= clock.every(leaseMs / 5, beat);
    },
    renew,
    standing() {
      const current = standing();
      if (current !== 'sure') isAwaited = true;
      return current;
    },
    onStanding: standings.add,
    onRenewed: renewals.add,
    stop: () => stopTimer?.(),
  };
}
