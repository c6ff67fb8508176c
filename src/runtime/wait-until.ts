import type { Decision } from '../kernel/decision.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Effects, Running } from './effects.ts';

type WaitUntil = Extract<Decision, { type: 'wait-until' }>;

export function waitUntil(
  { effect, until }: WaitUntil,
  host: EffectHost,
  { effects, clock }: { readonly effects: Effects; readonly clock: Clock },
): void {
  const stop = () => {
    disarm();
    effects.settle(running);
  };
  const running: Running = { effect, session: host.session, attempt: 1, cancel: stop, drop: stop };
  effects.start(running);
  // A session's time never goes back. If the clock was set back, the remaining wait stays the same.
  const ahead = Math.max(0, host.state.updatedAt - clock.now());
  const disarm = clock.at(until - ahead, () => {
    if (effects.settle(running)) host.deliver({ type: 'time-reached', effect });
  });
}
