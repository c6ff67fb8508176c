/** Budgets as bars: used, reserved for workers, and the limit. */
import type { BudgetLine } from '../../../src/views/budget-lines.ts';
import { amountText as countText } from '../../../src/wording/amount.ts';
import { costText } from '../../../src/wording/cost.ts';
import { durationText } from '../../../src/wording/duration.ts';

interface BudgetBar {
  readonly name: string;
  readonly text: string;
  /** From 0 to 1. Undefined without a limit, which shows no bar. */
  readonly shares: { readonly used: number; readonly aside: number } | undefined;
  readonly tone: 'calm' | 'near' | 'full';
}

/** Omits unused resources without a limit. */
export function budgetBars(lines: readonly BudgetLine[]): readonly BudgetBar[] {
  return lines
    .filter(({ name, used, setAside, limit }) => used + setAside > 0 || (limit !== undefined && name !== 'places'))
    .map(({ name, used, setAside, limit, isNear }) => {
      const aside = setAside === 0 ? '' : ` + ${amountText(name, setAside)} set aside`;
      const whole = limit === undefined ? '' : ` of ${limitText(name, limit)}`;
      const share = (amount: number) => (limit === undefined || limit <= 0 ? 1 : Math.min(1, amount / limit));
      const usedShare = share(used);
      return {
        name: titles[name],
        text: `${amountText(name, used)}${aside}${whole}`,
        shares: limit === undefined ? undefined : { used: usedShare, aside: share(used + setAside) - usedShare },
        tone: limit !== undefined && used + setAside >= limit ? 'full' : isNear ? 'near' : 'calm',
      };
    });
}

const titles: Readonly<Record<BudgetLine['name'], string>> = {
  tokens: 'Tokens',
  cost: 'Cost',
  'tool-calls': 'Tool calls',
  'wall-time': 'Time',
  places: 'Workers',
};

/** A worker's limit is what its parent had left: 30 minutes less a moment. */
function limitText(name: BudgetLine['name'], limit: number): string {
  return amountText(name, name === 'wall-time' && limit >= 60_000 ? Math.round(limit / 1000) * 1000 : limit);
}

function amountText(name: BudgetLine['name'], amount: number): string {
  switch (name) {
    case 'tokens':
      return countText(amount);
    case 'cost':
      return costText({ cost: amount, costIsKnown: true });
    case 'wall-time':
      return durationText(amount);
    case 'tool-calls':
    case 'places':
      return String(amount);
  }
}
