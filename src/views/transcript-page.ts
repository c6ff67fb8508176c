import { countWhile, itemsBetween } from './persistent-list.ts';
import type { Item, ItemId } from './transcript-item.ts';
import type { Transcript } from './transcript-view.ts';

/** Consecutive items, oldest first. */
export interface TranscriptPage {
  readonly items: readonly Item[];
  /** Where the previous page ends. Absent on the first page. */
  readonly before?: ItemId;
}

export function lastPage(transcript: Transcript, count: number): TranscriptPage {
  return pageUpTo(transcript, transcript.items.length, count);
}

/** The `count` items before one, at the cost of the page, not the transcript. Empty for an unknown id. */
export function pageBefore(transcript: Transcript, id: ItemId, count: number): TranscriptPage {
  const end = countWhile(transcript.items, (item) => isBefore(item.id, id));
  return pageUpTo(transcript, end, count);
}

function pageUpTo({ items }: Transcript, end: number, count: number): TranscriptPage {
  const from = Math.max(0, end - count);
  const page = itemsBetween(items, from, end);
  const first = page[0]?.id;
  return { items: page, ...(from > 0 && first !== undefined && { before: first }) };
}

function isBefore(a: ItemId, b: ItemId): boolean {
  const [seqA = 0, indexA = 0] = a.split('.').map(Number);
  const [seqB = 0, indexB = 0] = b.split('.').map(Number);
  return seqA < seqB || (seqA === seqB && indexA < indexB);
}
