/**
 * A page of the conversation, folded from no more of the journal than needed. A fork's conversation starts in its
 * origin's journal. Those items carry the origin in their id, `ses_x:12`, since sequences restart in the fork.
 */
import type { Journal } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Origin } from '../../kernel/state.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { Item, ItemId } from '../../views/transcript-item.ts';
import { lastPage, pageBefore, type TranscriptPage } from '../../views/transcript-page.ts';
import { transcriptOf } from '../../views/transcript.ts';
import { optional } from '../../kernel/optional.ts';

export interface TranscriptRange {
  /** Items before this one. Default: the last items. */
  readonly before?: ItemId;
  /** The conversation as of this event. */
  readonly until?: number;
  readonly limit?: number;
}

const leastReach = 100;
/** Longer turns aren't read back to their start. */
const longestTurn = 1000;
/** Enough for a turn with a tool call. If items need more events, earlier ones are read too. */
const eventsInItem = 2.5;

export async function readTranscript(
  journal: Journal,
  session: SessionId,
  { before, limit = 100, until }: TranscriptRange,
): Promise<TranscriptPage> {
  if (before?.includes(':') === true) {
    const at = before.lastIndexOf(':');
    return sharedPage(journal, before.slice(0, at) as SessionId, { before: before.slice(at + 1), limit });
  }
  const { page, origin } = await ownPage(journal, session, {
    limit,
    ...optional({ before, until }),
  });
  if (origin === undefined || page.before !== undefined) return page;
  const rest = limit - page.items.length;
  if (rest <= 0) return { ...page, before: sharedId(origin.session, `${origin.at + 1}`) };
  const earlier = await sharedPage(journal, origin.session, { until: origin.at, limit: rest });
  return { ...earlier, items: [...earlier.items, ...page.items] };
}

/** A page of what a fork shares. It may continue in what its origin shares. */
async function sharedPage(
  journal: Journal,
  origin: SessionId,
  range: TranscriptRange & { readonly limit: number },
): Promise<TranscriptPage> {
  const page = await readTranscript(journal, origin, range);
  const named = (id: ItemId) => (id.includes(':') ? id : sharedId(origin, id));
  return {
    items: page.items.map((item): Item => ({ ...item, id: named(item.id) })),
    ...(page.before !== undefined && { before: named(page.before) }),
  };
}

async function ownPage(
  journal: Journal,
  session: SessionId,
  { before, until, limit }: TranscriptRange & { readonly limit: number },
): Promise<{ readonly page: TranscriptPage; readonly origin?: Origin }> {
  const last = before === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(before, 10);
  const end = Math.min(last, until ?? last) + 1;
  let events: readonly Recorded[] = [];
  for (let reach = Math.max(leastReach, limit * eventsInItem); ; reach *= 2) {
    const further = { before: events[0]?.seq ?? end, limit: reach - events.length };
    const earlier = await journal.readBack(session, further);
    events = earlier.events.concat(events);
    const transcript = transcriptOf(session, events);
    const page = before === undefined ? lastPage(transcript, limit) : pageBefore(transcript, before, limit);
    const [opening] = events;
    if ((opening?.seq ?? 1) === 1) {
      return opening?.event.type === 'session-forked' ? { page, origin: opening.event.origin } : { page };
    }
    const [first] = page.items;
    // The fold's first item may be incomplete, so one more item must precede the page.
    if (first === undefined || page.before === undefined) continue;
    if (reach >= longestTurn || beginsBefore(first, events)) return { page };
  }
}

/** True if an item's turn started among these events. The item is then complete. */
function beginsBefore({ id }: Item, events: readonly Recorded[]): boolean {
  const at = Number.parseInt(id, 10);
  return events.some(({ seq, event }) => event.type === 'turn-started' && seq <= at);
}

function sharedId(session: SessionId, id: ItemId): ItemId {
  return `${session}:${id}`;
}
