import type { Journal } from '../journal/journal.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';

const pageSize = 5000;

/** Events `from` to `to`, as far as they can be read; without `to` up to the newest. */
export async function readSpan(
  journal: Journal,
  session: SessionId,
  { from, to = Number.MAX_SAFE_INTEGER }: { readonly from: number; readonly to?: number },
): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  for (let last = from - 1; last < to;) {
    const limit = Math.min(pageSize, to - last);
    const page = await journal.read(session, { after: last, limit });
    for (const recorded of page.events) if (recorded.seq <= to) events.push(recorded);
    last = page.events.at(-1)?.seq ?? last;
    if (page.events.length === 0 || last >= page.last) break;
  }
  return events;
}
