/** A child's share of its parent's budget: how big it is, and the limits that hold the child to it. */
import { budgetLeft, placesLeft } from '../kernel/budget.ts';
import type { Limits } from '../kernel/limits.ts';
import type { Spending } from '../kernel/outcome.ts';
import type { Allotment } from '../kernel/report.ts';
import type { State } from '../kernel/state.ts';

/** What is left is shared evenly between the parent and `children` new ones. Nothing where it has no limit. */
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

/** The limits of a session that has used `before` and may use the allotment beyond it. */
export function limitsWithin(allotment: Allotment, before: Spending): Partial<Limits> {
  const { tokens, cost, toolCalls, children } = allotment;
  return {
    ...(tokens !== undefined && { tokens: Math.max(before.tokens + tokens, 0) }),
    ...(cost !== undefined && { cost: Math.max(before.cost + cost, 0) }),
    ...(toolCalls !== undefined && { totalToolCalls: Math.max((before.toolCalls ?? 0) + toolCalls, 0) }),
    ...(children !== undefined && { children }),
  };
}

/** When the parent's present turn has to be over; a child's job ends no later. */
export function wallOf({ waits }: State): number | undefined {
  return waits.find(({ why }) => why === 'wall-time')?.until;
}
