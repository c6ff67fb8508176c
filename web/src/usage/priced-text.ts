import { costText } from '../../../src/wording/cost.ts';
import { counted } from '../../../src/wording/counted.ts';
import type { Used } from './usage-rows.ts';

/** "$4.12 + 1 unpriced call", never "unknown". */
export function pricedText({ cost, unpricedCalls = 0, costIsKnown = unpricedCalls === 0 }: Used): string {
  const known = costText({ cost, costIsKnown: true });
  if (costIsKnown) return known;
  const rest = unpricedCalls > 0 ? counted(unpricedCalls, 'unpriced call') : 'unpriced calls';
  return cost === 0 ? rest : `${known} + ${rest}`;
}
