/** A session's budgets for people: how much of each is used, reserved for live workers, and available in total. */
import { budgetAccount, noticeShare, placesLeft, type BudgetAccount } from '../kernel/budget.ts';
import { budgetNames, type BudgetName } from '../kernel/budget-name.ts';
import { turnOf, type State } from '../kernel/state.ts';

export interface BudgetLine extends BudgetAccount {
  /** `places`: live workers below it. `wall-time`: milliseconds of the current work. */
  readonly name: BudgetName | 'wall-time' | 'places';
  /** True at 80 % of its limit or more. */
  readonly isNear: boolean;
}

/** `wall`: when its current job started and must end, if known. Otherwise the turn's own limit counts. */
export function budgetLinesOf(
  state: State,
  now: number,
  wall: { readonly from: number; readonly until: number } | undefined = turnWall(state),
): readonly BudgetLine[] {
  const { children } = state.limits;
  return [
    ...budgetNames.map((name) => line(name, budgetAccount(state, name))),
    ...(wall === undefined
      ? []
      : [line('wall-time', { used: Math.max(0, now - wall.from), setAside: 0, limit: wall.until - wall.from })]),
    line('places', { used: children - placesLeft(state), setAside: 0, limit: children }),
  ];
}

function turnWall(state: State): { readonly from: number; readonly until: number } | undefined {
  const turn = turnOf(state);
  const until = state.waits.find(({ why }) => why === 'wall-time')?.until;
  return turn === undefined || until === undefined ? undefined : { from: turn.startedAt, until };
}

function line(name: BudgetLine['name'], account: BudgetAccount): BudgetLine {
  const { used, setAside, limit } = account;
  const isNear = limit !== undefined && limit > 0 && used + setAside >= limit * noticeShare;
  return { name, ...account, isNear };
}
