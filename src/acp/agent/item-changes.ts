import { itemsBetween } from '../../views/persistent-list.ts';
import type { Item } from '../../views/transcript-item.ts';
import type { Transcript } from '../../views/transcript.ts';
import type { HowUpdated } from './editor-client.ts';

export function howUpdated(item: Item, index: number): HowUpdated {
  switch (item.type) {
    case 'prompt':
      // Its other parts follow the first.
      return { isWhole: index === 0 };
    case 'agent-plan':
      return { plan: `plan-${item.id}` };
    case 'message':
    case 'agent-message':
    case 'agent-thought':
      return { isWhole: true };
    case 'call':
      return { isCancelled: item.state.type === 'cancelled' };
    default:
      return {};
  }
}

/** Items that are new or have changed. Only the newest items can still change. */
export function* changesBetween(
  before: Transcript,
  after: Transcript,
): Generator<readonly [Item, 'new' | 'changed']> {
  const from = Math.max(0, before.items.length - MAY_CHANGE);
  const old = itemsBetween(before.items, from, before.items.length);
  const now = itemsBetween(after.items, from, after.items.length);
  for (const [index, item] of now.entries()) {
    const was = old[index];
    if (was === undefined) yield [item, 'new'];
    else if (was !== item) yield [item, 'changed'];
  }
}

const MAY_CHANGE = 500;
