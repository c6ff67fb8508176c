/**
 * A part of a long conversation away from its end, shown after scrolling far back or jumping to a search result. It
 * grows at both ends and never holds more than `mostItems`.
 */
import { newList } from '../../../src/views/persistent-list.ts';
import type { Item, ItemId } from '../../../src/views/transcript-item.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { newRows, type SessionView } from './session-view.ts';

export interface EarlierPart {
  readonly items: readonly Item[];
  readonly before: ItemId | undefined;
  readonly rows: SessionView['rows'];
}

export const mostItems = 2000;

export function partOf(page: TranscriptPage): EarlierPart {
  return { items: page.items, before: page.before, rows: newRows() };
}

/** The loaded earlier items plus one more page. Drops the end of the conversation. */
export function partFromEnd(view: SessionView, page: TranscriptPage): EarlierPart {
  return partWithEarlier({ items: view.earlier, before: view.before, rows: view.rows }, page);
}

export function partWithEarlier(part: EarlierPart, page: TranscriptPage): EarlierPart {
  return {
    items: [...page.items, ...part.items].slice(0, mostItems),
    before: page.items.length === 0 ? undefined : page.before,
    rows: { ...part.rows, added: part.rows.added + page.items.length },
  };
}

/** `page` may overlap the part. Only later items are added. */
export function partWithLater(part: EarlierPart, page: TranscriptPage): EarlierPart {
  const last = part.items.at(-1)?.id;
  const later = last === undefined ? page.items : page.items.filter(({ id }) => isAfter(id, last));
  return { ...part, items: [...part.items, ...later] };
}

/** The part of the conversation that the list shows. */
export function viewOfPart(view: SessionView, { items, before, rows }: EarlierPart): SessionView {
  const { writing: _, ...transcript } = view.transcript;
  return {
    ...view,
    cleared: 0,
    earlier: items,
    before,
    rows,
    transcript: { ...transcript, items: newList(), writing: undefined },
  };
}

/** Sequence number of the item's event. Undefined for items that a fork shares with its origin. */
export function seqOfItem(id: ItemId): number | undefined {
  return id.includes(':') ? undefined : Number.parseInt(id, 10);
}

function isAfter(a: ItemId, b: ItemId): boolean {
  const [seqA = 0, placeA = 0] = a.split('.').map(Number);
  const [seqB = 0, placeB = 0] = b.split('.').map(Number);
  return seqA > seqB || (seqA === seqB && placeA > placeB);
}
