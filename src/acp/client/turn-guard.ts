import type { AgentTurn } from '../../runtime/capabilities.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AgentProcess } from './agent-process.ts';
import type { AcpSettings } from './agent-spec.ts';
import type { ReadyAgent } from './open-session.ts';

export interface TurnGuard {
  /** Why Rondo ended the process. */
  readonly verdict: 'cancelled' | 'silent' | 'flooding' | undefined;
  /** Ends the process if it sent too much. */
  check(): void;
  stop(): void;
}

/** Ensures that the turn ends on cancel, on prolonged silence, and when the agent floods it. */
export function guardTurn(
  { context, host }: AgentTurn,
  parts: {
    readonly process: AgentProcess;
    readonly ready: ReadyAgent;
    readonly clock: Clock;
    readonly settings: AcpSettings;
    readonly isBusy: () => boolean;
  },
): TurnGuard {
  const { process, ready, clock, settings } = parts;
  let verdict: TurnGuard['verdict'];
  let aliveAt = clock.ticks();
  const sentBefore = process.sentBytes;
  let disarmKill: (() => void) | undefined;
  let disarmCheck = clock.at(clock.now() + settings.silenceMs, listen);

  function listen(): void {
    // Waiting for a person or running a command for the agent isn't silence.
    aliveAt = parts.isBusy() ? clock.ticks() : Math.max(aliveAt, process.heardAt);
    const left = aliveAt + settings.silenceMs - clock.ticks();
    if (left > 0) {
      disarmCheck = clock.at(clock.now() + left, listen);
      return;
    }
    verdict ??= 'silent';
    void process.end({ leaveMs: 0 });
  }
  function cancel(): void {
    verdict ??= 'cancelled';
    if (context.signal.reason === 'dropped') return void process.end({ leaveMs: 0 });
    process.peer.notify('session/cancel', { sessionId: ready.session });
    disarmKill = clock.at(clock.now() + host.state.limits.cancelGraceMs, () => void process.end({ leaveMs: 0 }));
  }
  context.signal.addEventListener('abort', cancel, { once: true });
  if (context.signal.aborted) cancel();
  return {
    get verdict() {
      return verdict;
    },
    check() {
      if (process.sentBytes - sentBefore <= settings.turnBytes) return;
      verdict ??= 'flooding';
      void process.end({ leaveMs: 0 });
    },
    stop() {
      context.signal.removeEventListener('abort', cancel);
      disarmCheck();
      disarmKill?.();
    },
  };
}
