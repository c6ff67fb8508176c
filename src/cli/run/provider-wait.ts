import type { Update } from '../../session/update.ts';

/** How long an unattended run waits for unavailable providers in total. */
const longestMs = 60_000;

interface ProviderWait {
  saw(update: Update): void;
  /** Resolves with a message once a provider's wait exceeds the limit. */
  readonly tooLong: Promise<string>;
}

export function createProviderWait(now: () => number): ProviderWait {
  const { promise, resolve } = Promise.withResolvers<string>();
  let waited = 0;
  return {
    saw(update) {
      if (update.type !== 'event' || update.recorded.event.type !== 'wait-intended') return;
      const { why, until } = update.recorded.event;
      if (why !== 'provider-reset') return;
      waited += Math.max(0, until - now());
      if (waited <= longestMs) return;
      const when = new Date(until).toISOString();
      resolve(`The provider is available again at ${when}, but a run waits at most ${longestMs / 1000} s for it.`);
    },
    tooLong: promise,
  };
}
