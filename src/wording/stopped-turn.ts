/** What an interrupt ended and what stays: "2 commands cancelled · 1 edit kept". */
import type { Item, ItemId } from '../views/transcript-item.ts';
import { callKind } from './call-words.ts';
import { counted } from './counted.ts';

/** The texts of turns that were stopped, by the id of their ending. Without one, nothing ran. */
export function stoppedTurns(items: readonly Item[]): ReadonlyMap<ItemId, readonly string[]> {
  const texts = new Map<ItemId, readonly string[]>();
  for (const [index, item] of items.entries()) {
    if (item.type !== 'ending' || item.ending.type !== 'cancelled') continue;
    const parts = stoppedParts(items, index);
    if (parts.length > 0) texts.set(item.id, parts);
  }
  return texts;
}

/** The same of one turn. `end`: the place of its ending. */
export function stoppedParts(items: readonly Item[], end: number): readonly string[] {
  const start = items
    .slice(0, end)
    .findLastIndex((item) => item.type === 'prompt' && item.taken === 'turn-started');
  return partsOf(items.slice(Math.max(0, start), end));
}

function partsOf(turn: readonly Item[]): readonly string[] {
  let [commands, calls, edits] = [0, 0, 0];
  for (const item of turn) {
    if (item.type !== 'call') continue;
    const kind = callKind(item.tool);
    if (item.state.type === 'cancelled' && kind === 'run') commands += 1;
    else if (item.state.type === 'cancelled') calls += 1;
    else if (item.state.type === 'succeeded' && (kind === 'edit' || kind === 'delete')) edits += 1;
  }
  return [
    ...(commands === 0 ? [] : [`${counted(commands, 'command')} cancelled`]),
    ...(calls === 0 ? [] : [`${counted(calls, 'call')} cancelled`]),
    ...(edits === 0 ? [] : [`${counted(edits, 'edit')} kept`]),
  ];
}
