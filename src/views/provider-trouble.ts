/**
 * Groups failed model calls that were retried: the conversation shows one line for all attempts, and a card counts
 * them until one succeeds.
 */
import { optional } from '../kernel/optional.ts';
import type { FailureCode } from '../kernel/outcome.ts';
import type { EndingItem, Item, ItemId, MessageItem } from './transcript-item.ts';

export interface ProviderTrouble {
  readonly attempts: number;
  readonly code: FailureCode | undefined;
  readonly message: string;
  /** When the next attempt comes, if it is known. */
  readonly until?: number;
}

/** Items that repeat an earlier attempt, or that the card shows. */
export function repeatedAttempts(items: readonly Item[]): ReadonlySet<ItemId> {
  const hidden = new Set<ItemId>();
  for (const { attempts, isOver } of troubles(items)) {
    const failed = attempts.filter(isFailedCall);
    const last = isOver ? failed.at(-1) : undefined;
    for (const { id } of attempts) if (id !== last?.id) hidden.add(id);
  }
  return hidden;
}

/** Failed messages whose failure the turn's ending tells: it is shown once. */
export function repeatedByEnding(items: readonly Item[]): ReadonlySet<ItemId> {
  const repeated = new Set<ItemId>();
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    if (item.type !== 'message' || item.outcome.type !== 'failed' || next?.type !== 'ending') continue;
    if (isFailure(next)) repeated.add(item.id);
  }
  return repeated;
}

function isFailure({ ending }: EndingItem): boolean {
  return ending.type === 'failed' || ending.type === 'timed-out';
}

/** The trouble at the end of the conversation, if it isn't over. */
export function troubleNow(items: readonly Item[]): ProviderTrouble | undefined {
  const last = troubles(items).at(-1);
  if (last === undefined || last.isOver) return undefined;
  const failed = last.attempts.filter(isFailedCall);
  const wait = last.attempts.findLast((item) => item.type === 'notice');
  const until = wait?.about.type === 'waiting' && wait.about.endedAt === undefined ? wait.about.until : undefined;
  const outcome = failed.at(-1)?.outcome;
  return {
    attempts: failed.length,
    code: outcome?.type === 'failed' ? outcome.code : undefined,
    message: outcome?.type === 'failed' ? outcome.message : '',
    ...optional({ until }),
  };
}

interface Trouble {
  readonly attempts: readonly Item[];
  /** Something else followed: an answer, a call, or the turn's end. */
  readonly isOver: boolean;
}

function troubles(items: readonly Item[]): readonly Trouble[] {
  const list: Trouble[] = [];
  let run: Item[] = [];
  const close = (isOver: boolean) => {
    // One failure without a second try is an ordinary failure.
    if (run.some((item) => item.type === 'notice')) list.push({ attempts: run, isOver });
    run = [];
  };
  for (const item of items) {
    const isWait = item.type === 'notice' && item.about.type === 'waiting';
    if (isFailedCall(item) || (isWait && run.length > 0)) run.push(item);
    else close(true);
  }
  close(false);
  return list;
}

function isFailedCall(item: Item): item is MessageItem {
  return item.type === 'message' && item.outcome.type === 'failed' && item.text === '';
}
