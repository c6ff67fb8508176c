import type { Decision } from '../kernel/decision.ts';
import type { Clock } from './clock.ts';
import type { EffectHost } from './effect-host.ts';
import type { Effects, Running } from './effects.ts';

type WaitUntil = Extract<Decision, { type: 'wait-until' }>;

export function waitUntil(
  { effect, until }: WaitUntil,
  host: EffectHost,
  { effects, clock }: { readonly effects: Effects; readonly clock: Clock },
): void {
  const stop = () => {
    disarm();
    effects.settle(effect, running);
  };
  const running: Running = { session: host.session, attempt: 1, cancel: stop, drop: stop };
  effects.start(effect, running);
  const disarm = clock.at(until, () => {
    if (effects.settle(effect, running)) host.deliver({ type: 'time-reached', effect });
  });
}
