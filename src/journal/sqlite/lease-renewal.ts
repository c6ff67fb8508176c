/**
 * The lease of this process, raised every fifth of it. It counts from when a renewal was sent, on a clock that goes on
 * while the machine sleeps (O5).
 */
import type { Standing } from '../lease.ts';
import { createListeners, type Listeners } from '../listeners.ts';
import type { StoreParts } from './store-parts.ts';

export interface LeaseRenewal {
  /** Milliseconds since the machine started. */
  now(): number;
  /** The lease holds since then, unless it was held before. */
  start(sentAt: number): void;
  /** Rejects where the store doesn't answer. */
  renew(): Promise<void>;
  standing(): Standing;
  onStanding: Listeners<Standing>['add'];
  onRenewed: Listeners<number>['add'];
  stop(): void;
}

/** Effects are stopped this long before another process may take over. */
const stopMs = 5000;

export function createLeaseRenewal(
  { writer, clock, leaseMs }: StoreParts,
  on: { readonly onLost: () => void; readonly onRenewed: () => void },
): LeaseRenewal {
  const standings = createListeners<Standing>();
  const renewals = createListeners<number>();
  const mayRunMs = leaseMs - Math.min(stopMs, leaseMs / 3);
  const now = () => clock.uptime();
  /** Undefined as long as nothing was owned. */
  let sentAt: number | undefined;
  let reported: Standing = 'sure';
  let renewing: Promise<void> | undefined;
  let stopTimer: (() => void) | undefined;

  function standing(): Standing {
    const elapsed = sentAt === undefined ? 0 : now() - sentAt;
    if (elapsed >= mayRunMs) return 'lapsed';
    return elapsed > (2 * leaseMs) / 5 ? 'unsure' : 'sure';
  }

  function report(): void {
    const current = standing();
    if (current === reported) return;
    reported = current;
    standings.tell(current);
  }

  async function renewOnce(): Promise<void> {
    const sent = now();
    const answer = await writer.write(['renew']);
    if (answer === 'lost') {
      sentAt = undefined;
      stopTimer?.();
      stopTimer = undefined;
      on.onLost();
    } else {
      sentAt = sent;
      on.onRenewed();
      renewals.tell(mayRunMs - (now() - sent));
    }
    report();
  }

  const renew = () =>
    (renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    }));

  function beat(): void {
    // A sleep shows before the renewal that ends it.
    report();
    renew().catch(() => undefined);
  }

  return {
    now,
    start(at) {
      sentAt ??= at;
      stopTimer ??= clock.every(leaseMs / 5, beat);
    },
    renew,
    standing,
    onStanding: standings.add,
    onRenewed: renewals.add,
    stop: () => stopTimer?.(),
  };
}
