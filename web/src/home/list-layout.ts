/** Which rows of a grouped list are near a window of pixels. All rows have one height, so nothing is measured. */
interface Section {
  readonly name: string;
  readonly count: number;
}

interface PlacedSection extends Section {
  /** The offset of its heading. */
  readonly at: number;
  /** Places of its visible rows in the whole list; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** How many of its rows come before the visible ones. */
  readonly before: number;
}

interface ListLayout {
  readonly total: number;
  readonly sections: readonly PlacedSection[];
  readonly first: number;
  readonly last: number;
  /** The offset of the row at `place`. */
  readonly offset: number;
}

interface Window {
  readonly headHeight: number;
  readonly rowHeight: number;
  readonly from: number;
  readonly to: number;
  readonly place?: number;
}

export function sectionsAround(
  sections: readonly Section[],
  { headHeight, rowHeight, from, to, place = -1 }: Window,
): ListLayout {
  let at = 0;
  let rows = 0;
  let offset = 0;
  const placed: PlacedSection[] = [];
  for (const { name, count } of sections) {
    const top = at + headHeight;
    if (place >= rows && place < rows + count) offset = top + (place - rows) * rowHeight;
    const before = clamp(Math.floor((from - top) / rowHeight), count);
    const end = clamp(Math.ceil((to - top) / rowHeight), count);
    const bottom = top + count * rowHeight;
    if (bottom >= from && at <= to) placed.push({ name, count, at, from: rows + before, to: rows + end, before });
    at = bottom;
    rows += count;
  }
  const shown = placed.filter((section) => section.to > section.from);
  return { total: at, sections: placed, first: shown[0]?.from ?? 0, last: (shown.at(-1)?.to ?? 0) - 1, offset };
}

function clamp(value: number, most: number): number {
  return Math.max(0, Math.min(most, value));
}

export const sectionTitles: Readonly<Record<string, string>> = {
  pinned: 'Pinned',
  'needs-you': 'Needs you',
  failed: 'Failed',
  working: 'Working',
  unread: 'Finished, unread',
  earlier: 'Earlier',
};
