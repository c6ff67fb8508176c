import type { TotalUsage } from '../views/total-usage.ts';
import { tokensText } from './amount.ts';

/** `$0.42`. Where a price is unknown the figure is the least it can have been, and shows it. */
export function costText({ cost, costIsKnown }: { readonly cost: number; readonly costIsKnown: boolean }): string {
  if (cost === 0) return costIsKnown ? '$0' : 'unpriced';
  const amount = cost < 0.01 ? '<$0.01' : `$${cost.toFixed(2)}`;
  return costIsKnown ? amount : `≥ ${amount}`;
}

/** Tokens as far as they are known: an external agent may not report any. */
export function usedTokensText(
  usage: Pick<TotalUsage, 'unreportedTurns'> & { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  if ((usage.unreportedTurns ?? 0) === 0) return tokensText(tokens);
  return tokens === 0 ? 'tokens unknown' : `≥ ${tokensText(tokens)}`;
}

/** The part of a session's usage that its sub-agents had; nothing where there were none. */
export function childUsageText({ children }: Pick<TotalUsage, 'children'>): string {
  if (children === undefined) return '';
  return `sub-agents: ${tokensText(children.inputTokens + children.outputTokens)}, ${costText(children)}`;
}
