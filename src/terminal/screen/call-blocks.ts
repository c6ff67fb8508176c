/**
 * Groups calls into lines: consecutive lookups are one line, and when a turn has ended its successful calls merge.
 * Opened and failed calls stay single.
 */
import type { CallItem, Item } from '../../views/transcript-item.ts';
import { isLookup } from '../../wording/call-words.ts';
import { isMergeable } from '../lines/call-lines.ts';

export type Block =
  | { readonly type: 'item'; readonly item: Item }
  | { readonly type: 'merged'; readonly items: readonly CallItem[] };

interface GroupOptions {
  readonly isOpen: (item: string) => boolean;
}

export function blocksOf(items: readonly Item[], { isOpen }: GroupOptions): readonly Block[] {
  const ended = endedTurns(items);
  const blocks: Block[] = [];
  let run: CallItem[] = [];
  const close = () => {
    const [only] = run;
    if (only !== undefined)
      blocks.push(run.length === 1 ? { type: 'item', item: only } : { type: 'merged', items: run });
    run = [];
  };
  let isOwn = false;
  for (const [index, item] of items.entries()) {
    if (item.type === 'prompt') isOwn = item.asked.type === 'task';
    // An open question shows below the conversation, so it doesn't separate calls.
    if (item.type === 'question' && item.state.type === 'open') continue;
    const canMerge = item.type === 'call' && !isOwn && isMergeable(item) && !isOpen(item.id);
    if (!canMerge) {
      close();
      blocks.push({ type: 'item', item });
      continue;
    }
    const [first] = run;
    const isSameKind = first === undefined || isLookup(first.tool) === isLookup(item.tool);
    const joins = isSameKind && (isLookup(item.tool) || ended[index] === true);
    if (!joins) close();
    run.push(item);
    if (!isLookup(item.tool) && ended[index] !== true) close();
  }
  close();
  return blocks;
}

/** For each item, whether its turn has ended. */
function endedTurns(items: readonly Item[]): readonly boolean[] {
  const ended: boolean[] = Array.from({ length: items.length }, () => false);
  let isEnded = false;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.type === 'ending') isEnded = true;
    ended[index] = isEnded;
    if (item?.type === 'prompt' && item.taken === 'turn-started') isEnded = false;
  }
  return ended;
}
