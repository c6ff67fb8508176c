import type { Journal } from '../journal/journal.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ItemId } from '../views/transcript-item.ts';
import { lastPage, pageBefore, type TranscriptPage } from '../views/transcript-page.ts';
import { transcriptOf } from '../views/transcript.ts';

export interface TranscriptRange {
  /** Items before this one; without it the last ones. */
  readonly before?: ItemId;
  readonly limit?: number;
}

const firstReach = 400;

/** A page of the conversation, folded from no more of the journal than it takes. */
export async function readTranscript(
  journal: Journal,
  session: SessionId,
  { before, limit = 100 }: TranscriptRange,
): Promise<TranscriptPage> {
  const end = before === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(before, 10) + 1;
  for (let reach = Math.max(firstReach, limit * 4); ; reach *= 4) {
    const { events } = await journal.readBack(session, { before: end, limit: reach });
    const transcript = transcriptOf(session, events);
    const page = before === undefined ? lastPage(transcript, limit) : pageBefore(transcript, before, limit);
    const isWhole = (events[0]?.seq ?? 1) === 1;
    if (isWhole) return page;
    const [first] = page.items;
    // What the fold began in the middle of may be incomplete: one item more must stand before the page.
    if (first !== undefined && page.before !== undefined) return page;
  }
}
