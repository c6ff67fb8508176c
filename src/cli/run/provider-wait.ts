import type { Update } from '../../session/update.ts';

/** How long a run that nobody watches waits for providers to serve again, all waits together. */
const longestMs = 60_000;

export interface ProviderWait {
  saw(update: Update): void;
  /** Resolves once a provider wants to be waited for longer than that, with the words for it. */
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
