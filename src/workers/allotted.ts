/** A child's share of its parent's budget: its size, and the limits that enforce it. */
import { budgetLeft, placesLeft } from '../kernel/budget.ts';
import type { Limits } from '../kernel/limits.ts';
import { optional } from '../kernel/optional.ts';
import type { Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { State } from '../kernel/state.ts';
import type { Clock } from '../ports/clock.ts';

/** Splits the remaining budget evenly between the parent and `children` new children. Omits unlimited resources. */
export function shareOf(parent: State, children: number): Allotment {
  const { tokens, cost, toolCalls } = budgetLeft(parent);
  const among = children + 1;
  const whole = (amount: number) => Math.max(Math.floor(amount / among), 0);
  return {
    ...(tokens !== undefined && { tokens: whole(tokens) }),
    ...(cost !== undefined && { cost: Math.max(cost / among, 0) }),
    ...(toolCalls !== undefined && { toolCalls: whole(toolCalls) }),
    children: whole(placesLeft(parent) - children),
  };
}

/** The limits of a session that has used `before` and may use the allotment on top of it. */
export function limitsWithin(allotment: Allotment, before: Spending): Partial<Limits> {
  const { tokens, cost, toolCalls, children } = allotment;
  return {
    ...(tokens !== undefined && { tokens: Math.max(before.tokens + tokens, 0) }),
    ...(cost !== undefined && { cost: Math.max(before.cost + cost, 0) }),
    ...(toolCalls !== undefined && { totalToolCalls: Math.max((before.toolCalls ?? 0) + toolCalls, 0) }),
    ...optional({ children }),
  };
}

/** The deadline of the parent's current turn as a time of day. A child's job ends no later. */
export function wallOf(
  { waits }: State,
  { clock, boot }: { readonly clock: Clock; readonly boot: () => string },
): number | undefined {
  const wall = waits.find(({ why }) => why === 'wall-time');
  if (wall?.due === undefined || wall.due.boot !== boot()) return wall?.until;
  // The clock may have been set since the turn began. Below a second it is only the clocks' resolution.
  const steady = clock.now() + wall.due.uptime - clock.uptime();
  return Math.abs(steady - wall.until) < 1000 ? wall.until : steady;
}
