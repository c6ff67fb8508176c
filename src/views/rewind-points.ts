/**
 * The prompts of a conversation that it can go back to, oldest first. A rewound part no longer counts, and counts
 * again if its rewind was undone.
 */
import type { Body } from '../kernel/content.ts';
import { argumentsOf } from './call-arguments.ts';
import { changesIn, linesChanged } from './call-changes.ts';
import type { CallItem, Item, ItemId } from './transcript-item.ts';

export interface RewindPoint extends CallsDone {
  /** Counts the prompts of the conversation from 1. */
  readonly number: number;
  /** The event right before the prompt's turn: a rewind to it removes the prompt. */
  readonly to: number;
  readonly text: Body;
  readonly at: number;
}

/** What successful calls of a part of the conversation did. */
export interface CallsDone {
  readonly steps: number;
  /** Lines that edits changed, as their calls describe them, and the files. */
  readonly added: number;
  readonly removed: number;
  readonly paths: readonly string[];
  /** Restoring files doesn't undo their effects elsewhere. */
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

/** What a rewind to this event takes back. */
export function partAfter(items: readonly Item[], to: number): CallsDone & { readonly prompts: number } {
  const undone = undoneItems(items);
  const later = items.filter((item) => !undone.has(item.id) && !item.id.includes(':') && seqOf(item) > to);
  const calls = later.filter((item) => item.type === 'call').filter(({ state }) => state.type === 'succeeded');
  const prompts = later.filter((item) => item.type === 'prompt' && item.asked.type === 'chat').length;
  return { ...calls.reduce<CallsDone>(withCall, nothing), prompts };
}

interface ChangedFile {
  readonly path: string;
  readonly isForeign?: boolean;
}

/** Files that none of these calls changed, as far as that can be known: a command may have changed any file. */
export function changedByOthers<File extends ChangedFile>(
  { paths, commands }: Pick<CallsDone, 'paths' | 'commands'>,
  changes: readonly File[],
): readonly File[] {
  const isOwn = (path: string) => paths.some((one) => one === path || one.endsWith(`/${path}`));
  return changes.filter(({ path, isForeign }) => isForeign === true || (commands.length === 0 && !isOwn(path)));
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

function withCall<Done extends CallsDone>(point: Done, { tool, args, facts, at, state }: CallItem): Done {
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
