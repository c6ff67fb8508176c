/** A step that keeps every session's limits within the managed policy, no matter who set them or when. */
import { system } from '../../kernel/actor.ts';
import type { Input } from '../../kernel/input.ts';
import { cappedLimits, limitsFrom, type Limits } from '../../kernel/limits.ts';
import type { Step, Transition } from '../../kernel/decide/step.ts';

export function cappedStep(step: Step, caps: Partial<Limits>): Step {
  if (Object.keys(caps).length === 0) return step;
  return (state, input) => {
    const capped = withCaps(input, caps);
    const before = capped.type === 'prompt-received' || capped.type === 'task-received' ? state.limits : undefined;
    const limits = before === undefined ? {} : looser(before, caps);
    if (Object.keys(limits).length === 0) return step(state, capped);
    const tightened = step(state, { type: 'limits-changed', limits, at: input.at, by: system });
    const taken = step(tightened.state, capped);
    return taken.refusal === undefined ? joined(tightened, taken) : { ...taken, state };
  };
}

function withCaps(input: Input, caps: Partial<Limits>): Input {
  switch (input.type) {
    case 'session-requested':
    case 'session-continued':
      return { ...input, limits: { ...input.limits, ...looser(limitsFrom(input.limits), caps) } };
    case 'limits-changed':
      return { ...input, limits: cappedLimits(input.limits, caps) };
    default:
      return input;
  }
}

/** The caps that a session's limits exceed. */
function looser(limits: Limits, caps: Partial<Limits>): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(caps).filter(([name, most]) => (limits[name as keyof Limits] ?? Infinity) > most),
  );
}

function joined(first: Transition, second: Transition): Transition {
  return {
    state: second.state,
    events: [...first.events, ...second.events],
    decisions: [...first.decisions, ...second.decisions],
  };
}
