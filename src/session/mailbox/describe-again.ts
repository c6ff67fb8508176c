import type { Claim } from '../../ports/lease.ts';
import type { CallFacts, DescribedCall } from '../../kernel/call.ts';
import type { InputBody } from '../../kernel/input.ts';
import { optional } from '../../kernel/optional.ts';
import { turnOf } from '../../kernel/state.ts';
import type { Interpreter } from '../../ports/interpreter.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

type Recovery = Extract<InputBody, { type: 'session-recovered' }>;

/** The number of consecutive owners that may end during a session's work. The third one ends the turn. */
const mostFences = 3;

/** `isUnproven`: this owner got no further than the ones before it. */
export function recoveryUnder(
  { epoch, fences }: Pick<Claim, 'epoch' | 'fences'>,
  { isUnproven }: { readonly isUnproven: boolean },
): Recovery {
  return { type: 'session-recovered', epoch, ...(fences >= mostFences && isUnproven && { crashes: fences }) };
}

/**
 * Builds a recovery with what the journal can't guarantee: the facts of unfinished calls and the current rules. A
 * call whose facts are unavailable is left out, so it doesn't run.
 */
export async function describeAgain(
  body: Recovery,
  context: EffectHost,
  { describe, rules }: Pick<Interpreter, 'describe' | 'rules'>,
): Promise<Recovery> {
  const activity = turnOf(context.state)?.activity;
  if (activity?.type !== 'running-calls') return body;
  const unsettled = activity.calls.flatMap((progress) => (progress.type === 'settled' ? [] : [progress.call]));
  const described = await Promise.all(
    unsettled.map(async ({ id, tool, args, facts }): Promise<readonly DescribedCall[]> => {
      try {
        const text = typeof args === 'string' ? args : await context.read(args);
        const [again] = await describe([{ id, tool, args: text }], context);
        return again === undefined ? [] : [{ call: id, facts: withWarnings(again.facts, facts) }];
      } catch {
        return [];
      }
    }),
  );
  const today = await rules?.(context.state);
  return { ...body, calls: described.flat(), ...optional({ rules: today }) };
}

/**
 * Keeps the journal's warnings: only while the model answers is it known that the model composed an address, so a
 * call described in isolation would lose that danger (S18).
 */
function withWarnings(today: CallFacts, { dangers: before = [] }: CallFacts): CallFacts {
  const { dangers = [] } = today;
  const lost = before.filter(
    (danger) => !dangers.some(({ rule, unit }) => rule === danger.rule && unit === danger.unit),
  );
  return lost.length === 0 ? today : { ...today, dangers: [...dangers, ...lost] };
}
