import type { SessionId } from '../../kernel/ids.ts';

/** Sessions that must not be retried yet. */
interface Backoff {
  isWaiting(session: SessionId): boolean;
  failed(session: SessionId): void;
  succeeded(session: SessionId): void;
}

const firstMs = 1000;
const longestMs = 60_000;

export function createBackoff(clock: { ticks(): number }): Backoff {
  const waits = new Map<SessionId, { readonly ms: number; readonly until: number }>();
  return {
    isWaiting: (session) => (waits.get(session)?.until ?? -Infinity) > clock.ticks(),
    failed(session) {
      const ms = Math.min((waits.get(session)?.ms ?? firstMs / 2) * 2, longestMs);
      waits.set(session, { ms, until: clock.ticks() + ms });
    },
    succeeded: (session) => void waits.delete(session),
  };
}
