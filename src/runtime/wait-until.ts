import type { Decision } from '../kernel/decision.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Effects, Running } from './effects.ts';

type WaitUntil = Extract<Decision, { type: 'wait-until' }>;

export function waitUntil(
  decision: WaitUntil,
  host: EffectHost,
  { effects, clock }: { readonly effects: Effects; readonly clock: Clock },
): void {
  const { effect } = decision;
  const stop = () => {
    disarm();
    effects.settle(running);
  };
  const running: Running = { effect, session: host.session, attempt: 1, cancel: stop, drop: stop };
  effects.start(running);
  const disarm = clock.at(clock.now() + remaining(decision, host, clock), () => {
    if (effects.settle(running)) host.deliver({ type: 'time-reached', effect });
  });
}

/** On the boot's clock where the wait began on this boot, otherwise by the time of day. */
function remaining({ until, due }: WaitUntil, host: EffectHost, clock: Clock): number {
  const now = due === undefined ? undefined : host.bootTime();
  if (due !== undefined && now?.boot === due.boot) return due.uptime - now.uptime;
  // A session's time never goes back. If the clock was set back, the remaining wait stays the same.
  return until - Math.max(clock.now(), host.state.updatedAt);
}
