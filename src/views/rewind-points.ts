/**
 * The prompts of a conversation that it can go back to, oldest first. A rewound part no longer counts, and counts
 * again if its rewind was undone.
 */
import type { Body } from '../kernel/content.ts';
import { argumentsOf } from './call-arguments.ts';
import { changesIn, linesChanged } from './call-changes.ts';
import type { CallItem, Item, ItemId } from './transcript-item.ts';

export interface RewindPoint {
  /** Counts the prompts of the conversation from 1. */
  readonly number: number;
  /** The event right before the prompt's turn: a rewind to it removes the prompt. */
  readonly to: number;
  readonly text: Body;
  readonly at: number;
  /** Calls of the turn. */
  readonly steps: number;
  /** Lines that the turn's edits changed, as their calls describe them, and the files. */
  readonly added: number;
  readonly removed: number;
  readonly paths: readonly string[];
  /** Commands of the turn. Restoring files doesn't undo their effects elsewhere. */
  readonly commands: readonly RunCommand[];
}

interface RunCommand {
  readonly args: Body;
  readonly at: number;
}

export function rewindPoints(items: readonly Item[]): readonly RewindPoint[] {
  const points: RewindPoint[] = [];
  const undone = undoneItems(items);
  for (const item of items) {
    // Events that a fork shares with its origin come before its own first event.
    if (undone.has(item.id) || item.id.includes(':')) continue;
    const last = points.at(-1);
    if (item.type === 'prompt' && item.taken === 'turn-started' && item.asked.type === 'chat') {
      const { text } = item.asked;
      points.push({ ...nothing, number: points.length + 1, to: seqOf(item) - 1, text, at: item.receivedAt });
    } else if (item.type === 'call' && item.state.type === 'succeeded' && last !== undefined)
      points[points.length - 1] = withCall(last, item);
  }
  return points;
}

/** The items that rewinds took back. */
export function undoneItems(items: readonly Item[]): ReadonlySet<ItemId> {
  const undone = new Set<ItemId>();
  let limit = Number.POSITIVE_INFINITY;
  for (const item of items.toReversed()) {
    if (item.id.includes(':')) break;
    if (seqOf(item) > limit) undone.add(item.id);
    else if (item.type === 'notice' && item.about.type === 'rewound') limit = item.about.to;
  }
  return undone;
}

const nothing = { steps: 0, added: 0, removed: 0, paths: [], commands: [] } as const;

function withCall(point: RewindPoint, { tool, args, facts, at, state }: CallItem): RewindPoint {
  const counts = { ...point, steps: point.steps + 1 };
  if (tool === 'shell' && facts.access !== 'read')
    return { ...counts, commands: [...point.commands, { args, at }] };
  const given = argumentsOf(args);
  const { added, removed } = linesChanged({ tool, state }, given);
  return {
    ...counts,
    added: point.added + added,
    removed: point.removed + removed,
    paths: [...point.paths, ...changesIn(tool, given).map(({ path }) => path)],
  };
}

function seqOf({ id }: Item): number {
  return Number.parseInt(id, 10);
}
