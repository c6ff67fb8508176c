/**
 * Decides which size of each chosen atom is printed.
 *
 * 1. The budget is total − reserve − headroom. An empty budget is an error.
 * 2. Required atoms are printed in full at any cost. Exceeding the budget is reported.
 * 3. Of the rest, every category has a share with a minimum and a maximum. Each atom tries full, concise, min.
 *    Atoms that didn't fit their category may use the remaining budget, by score.
 * 4. The form returned here is the form that is printed. Without a required overrun, the sum stays within the
 *    budget.
 */
import { estimateTokens } from '../../kernel/content.ts';
import { atomCategories, formOf, type AtomCategory, type AtomForm } from '../words/prompt-atom.ts';
import type { AtomChoice } from './select-atoms.ts';

export interface TokenBudget {
  /** Tokens for the whole system text. */
  readonly total: number;
  /** Reserved for additions by others. */
  readonly reserve: number;
  /** Already spent: the agent's own prompt, the list of tools. */
  readonly fixed?: number;
}

export interface PlacedAtom extends AtomChoice {
  readonly form: AtomForm;
  readonly text: string;
  readonly tokens: number;
}

type BudgetPlan =
  | {
      readonly type: 'planned';
      readonly placed: readonly PlacedAtom[];
      readonly unplaced: readonly { readonly choice: AtomChoice; readonly reason: string }[];
      readonly budget: number;
      readonly tokens: number;
      /** By how much the required part alone exceeds the budget. 0 if it fits. */
      readonly over: number;
    }
  | { readonly type: 'invalid'; readonly problem: string };

export const headroom = 500;

interface Share {
  readonly percent: number;
  readonly min: number;
  readonly max: number;
}

const shares: Readonly<Record<AtomCategory, Share>> = {
  identity: { percent: 8, min: 100, max: 1_000 },
  safety: { percent: 5, min: 150, max: 1_500 },
  protocol: { percent: 10, min: 150, max: 2_000 },
  capability: { percent: 6, min: 50, max: 1_000 },
  methodology: { percent: 8, min: 100, max: 2_000 },
  hallucination: { percent: 5, min: 50, max: 800 },
  language: { percent: 15, min: 50, max: 3_000 },
  framework: { percent: 10, min: 50, max: 2_000 },
  domain: { percent: 10, min: 0, max: 2_000 },
  campaign: { percent: 3, min: 0, max: 800 },
  init: { percent: 3, min: 0, max: 800 },
  context: { percent: 15, min: 0, max: 4_000 },
  reviewer: { percent: 2, min: 50, max: 800 },
  eval: { percent: 2, min: 0, max: 500 },
  exemplar: { percent: 5, min: 0, max: 1_500 },
  knowledge: { percent: 5, min: 0, max: 1_500 },
  world_state: { percent: 3, min: 50, max: 800 },
  others: { percent: 2, min: 0, max: 500 },
};
const forms: readonly AtomForm[] = ['full', 'concise', 'min'];
/** An empty line follows every atom. */
const separator = 2;

export function planBudget(chosen: readonly AtomChoice[], { total, reserve, fixed = 0 }: TokenBudget): BudgetPlan {
  const budget = total - reserve - headroom;
  if (budget <= 0) {
    return {
      type: 'invalid',
      problem: `a total of ${total} tokens less ${reserve} reserved and ${headroom} headroom leaves nothing for a prompt`,
    };
  }
  const ordered = chosen.toSorted((a, b) => b.score - a.score || (a.atom.id < b.atom.id ? -1 : 1));
  const placed = new Map(
    ordered.filter(({ required }) => required).map((choice) => [choice.atom.id, place(choice, 'full')]),
  );
  const sum = (): number => fixed + [...placed.values()].reduce((all, { tokens }) => all + tokens, 0);
  const over = Math.max(0, sum() - budget);
  let left = Math.max(0, budget - sum());

  const tryPlace = (choice: AtomChoice, limit: number): number => {
    const fits = forms.map((form) => place(choice, form)).find(({ tokens }) => tokens <= limit && tokens <= left);
    if (fits === undefined) return 0;
    placed.set(choice.atom.id, fits);
    left -= fits.tokens;
    return fits.tokens;
  };
  for (const category of atomCategories) {
    const { percent, min, max } = shares[category];
    let share = Math.min(max, Math.max(min, Math.floor((budget * percent) / 100)));
    for (const choice of ordered) {
      if (choice.atom.category === category && !choice.required) share -= tryPlace(choice, share);
    }
  }
  for (const choice of ordered) if (!placed.has(choice.atom.id)) tryPlace(choice, left);

  const unplaced = ordered
    .filter(({ atom }) => !placed.has(atom.id))
    .map((choice) => ({ choice, reason: 'does not fit the budget' }));
  dropDependants(placed, unplaced);
  return {
    type: 'planned',
    placed: ordered.flatMap(({ atom }) => placed.get(atom.id) ?? []),
    unplaced,
    budget,
    tokens: sum(),
    over,
  };
}

function place(choice: AtomChoice, form: AtomForm): PlacedAtom {
  const text = formOf(choice.atom, form);
  return { ...choice, form, text, tokens: estimateTokens(' '.repeat(separator) + text) };
}

/** Drops atoms whose dependency didn't fit. */
function dropDependants(
  placed: Map<string, PlacedAtom>,
  unplaced: { choice: AtomChoice; reason: string }[],
): void {
  for (const { choice } of unplaced) {
    for (const [id, dependant] of placed) {
      if (dependant.required || !dependant.atom.dependsOn.includes(choice.atom.id)) continue;
      placed.delete(id);
      unplaced.push({ choice: dependant, reason: `its dependency ${choice.atom.id} does not fit the budget` });
    }
  }
}
