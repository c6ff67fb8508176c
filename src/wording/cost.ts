import type { TotalUsage } from '../views/total-usage.ts';

/** What is known of a cost. Where a price is unknown the figure is the least it can have been, and says so. */
export function costText({ cost, costIsKnown }: { readonly cost: number; readonly costIsKnown: boolean }): string {
  const amount = `$${cost === 0 ? '0' : cost.toFixed(cost < 1 ? 4 : 2)}`;
  if (costIsKnown) return amount;
  return cost === 0 ? 'unknown' : `≥${amount}`;
}

/** Tokens as far as they are known: an external agent may not report any. */
export function tokensText(
  usage: Pick<TotalUsage, 'unreportedTurns'> & { readonly inputTokens: number; readonly outputTokens: number },
): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  if ((usage.unreportedTurns ?? 0) === 0) return `${tokens} tokens`;
  return tokens === 0 ? 'tokens unknown' : `≥${tokens} tokens`;
}

/** The part of a session's usage that its sub-agents had, in a few words; nothing where there were none. */
export function childUsageText({ children }: Pick<TotalUsage, 'children'>): string {
  if (children === undefined) return '';
  const tokens = children.inputTokens + children.outputTokens;
  return `of these sub-agents: ${tokens} tokens, ${costText(children)}`;
}
