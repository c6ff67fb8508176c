import type { AgentAnswer } from '../kernel/agent-request.ts';
import type { EffectId } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { Capabilities } from './capabilities.ts';
import type { Clock } from '../ports/clock.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import type { Effects, Running } from './effects.ts';
import type { RuntimeContext } from './runtime-context.ts';

/** One kind of effect: its work, and its settlements if it is interrupted or fails. */
export interface Work {
  readonly kind: string;
  readonly name: string;
  run(effort: Effort): Promise<InputBody>;
  cancelled(effort: Effort): InputBody;
  /** The settlement for a thrown error: a `Fault`, or a bug in a tool or model. */
  broke(effort: Effort, message: string): InputBody;
  /** `settle-at-once`: nothing outlives the abort, so a cancel needn't wait for `run` to return. */
  readonly onCancel: 'settle-at-once' | 'wait-for-end';
  /** Receives the answer to a question that it asked. */
  answer?(key: string, answer: AgentAnswer): void;
}

export interface Effort {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly host: EffectHost;
  readonly context: RuntimeContext;
}

interface Parts {
  readonly effects: Effects;
  readonly clock: Clock;
  readonly capabilities: Pick<Capabilities, 'telemetry' | 'logger'>;
}

export function startEffect({ effects, clock, capabilities }: Parts, effort: Effort, work: Work): void {
  const { effect, attempt, host, context } = effort;
  const startedAt = clock.now();
  let disarm: (() => void) | undefined;

  const settle = (input: InputBody, outcome: string) => {
    if (!effects.settle(running)) return;
    disarm?.();
    const { kind, name } = work;
    // An observer must not prevent an effect from settling.
    try {
      capabilities.telemetry?.record({ effect, kind, name, startedAt, endedAt: clock.now(), outcome });
    } catch (error) {
      capabilities.logger.log('error', 'telemetry failed', { effect, error: errorName(error) });
    }
    host.deliver(input);
  };
  const running: Running = {
    effect,
    session: host.session,
    attempt,
    context,
    answer(answered, key, answer) {
      if (answered === attempt) work.answer?.(key, answer);
    },
    cancel(graceMs) {
      context.cancel('cancelled');
      const force = () => settle(work.cancelled(effort), 'cancelled');
      if (work.onCancel === 'settle-at-once' || graceMs <= 0) force();
      else disarm ??= clock.at(clock.now() + graceMs, force);
    },
    drop() {
      disarm?.();
      effects.settle(running);
      context.cancel('dropped');
    },
  };
  effects.start(running);
  const run = work.run(effort);
  if (work.onCancel === 'wait-for-end') effects.track(running, run);
  run.then(
    (input) => settle(input, outcomeOf(input)),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      capabilities.logger.log('error', `${work.kind} ${work.name} broke`, { effect, error: errorName(error) });
      settle(work.broke(effort, message), 'broke');
    },
  );
}

function outcomeOf(input: InputBody): string {
  if ('outcome' in input) return input.outcome.type;
  return 'result' in input ? input.result.type : input.type;
}

/** Messages may contain content, so logs get only the kind of error. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
