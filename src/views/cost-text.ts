/** What is known of a cost. Where a price is unknown the figure is the least it can have been, and says so. */
export function costText({ cost, costIsKnown }: { readonly cost: number; readonly costIsKnown: boolean }): string {
  const amount = `$${cost === 0 ? '0' : cost.toFixed(cost < 1 ? 4 : 2)}`;
  if (costIsKnown) return amount;
  return cost === 0 ? 'unknown' : `≥${amount}`;
}
