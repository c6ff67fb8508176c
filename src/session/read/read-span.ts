import type { Journal } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';

const pageSize = 5000;

export interface Stretch {
  readonly from: number;
  /** Default: the newest event. */
  readonly to?: number;
}

/** Events `from` to `to`, as far as they are readable. */
export async function readSpan(
  journal: Journal,
  session: SessionId,
  stretch: Stretch,
): Promise<readonly Recorded[]> {
  const pages: (readonly Recorded[])[] = [];
  for await (const page of readPages(journal, session, stretch)) pages.push(page);
  return pages.length === 1 ? (pages[0] ?? []) : pages.flat();
}

/** The same, one page at a time, for callers that don't need all events in memory. */
export async function* readPages(
  journal: Journal,
  session: SessionId,
  { from, to = Number.MAX_SAFE_INTEGER }: Stretch,
): AsyncGenerator<readonly Recorded[]> {
  for (let last = from - 1; last < to;) {
    const limit = Math.min(pageSize, to - last);
    const page = await journal.read(session, { after: last, limit });
    last = page.events.at(-1)?.seq ?? last;
    yield last <= to ? page.events : page.events.filter(({ seq }) => seq <= to);
    if (page.events.length === 0 || last >= page.last) return;
  }
}
