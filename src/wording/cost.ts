import type { TotalUsage } from '../views/total-usage.ts';
import { tokensText } from './amount.ts';

/** `$0.42`. If a price is unknown, marks the figure as a minimum. */
export function costText({ cost, costIsKnown }: { readonly cost: number; readonly costIsKnown: boolean }): string {
  if (cost === 0) return costIsKnown ? '$0' : 'unpriced';
  const amount = cost < 0.01 ? '<$0.01' : dollarsText(cost);
  return costIsKnown ? amount : `≥ ${amount}`;
}

/** `$2.00`: a limit, or a sum beside one. */
export function dollarsText(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** The cost, or nothing if there is none yet. For lists and headings. */
export function spentText(usage: {
  readonly cost: number;
  readonly costIsKnown: boolean;
  readonly turns: number;
}): string {
  return usage.turns === 0 || (usage.cost === 0 && usage.costIsKnown) ? '' : costText(usage);
}

/** Known tokens: an external agent may not report any. */
export function usedTokensText(
  usage: Pick<TotalUsage, 'unreportedTurns'> & { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  if ((usage.unreportedTurns ?? 0) === 0) return tokensText(tokens);
  return tokens === 0 ? 'tokens unknown' : `≥ ${tokensText(tokens)}`;
}

/** The part of a session's usage that its sub-agents caused. Empty if there were none. */
export function childUsageText({ children }: Pick<TotalUsage, 'children'>): string {
  if (children === undefined) return '';
  return `sub-agents: ${tokensText(children.inputTokens + children.outputTokens)}, ${costText(children)}`;
}
