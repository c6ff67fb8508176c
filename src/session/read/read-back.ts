/** Reads a session's events from the end, to find the newest of something. */
import type { Journal } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';

export async function newestFirst(
  journal: Journal,
  session: SessionId,
  before: number,
  limit: number,
): Promise<readonly Recorded[]> {
  const { events } = await journal.readBack(session, { before, limit });
  return events.toReversed();
}

/** The events since the start of the newest turn, and perhaps some before it. */
export async function newestTurn(
  journal: Journal,
  session: SessionId,
  before: number,
): Promise<readonly Recorded[]> {
  const pages: (readonly Recorded[])[] = [];
  for (let from = before; ;) {
    const { events } = await journal.readBack(session, { before: from, limit: turnAtOnce });
    pages.push(events);
    const [oldest] = events;
    const isWhole = events.some(({ event }) => event.type === 'turn-started');
    if (isWhole || oldest === undefined || oldest.seq === 1) return pages.toReversed().flat();
    from = oldest.seq;
  }
}

export async function findNewest(
  journal: Journal,
  session: SessionId,
  before: number,
  isWanted: (recorded: Recorded) => boolean,
): Promise<Recorded | undefined> {
  let from = before;
  for (;;) {
    const page = await newestFirst(journal, session, from, atOnce);
    const record = page.find(isWanted);
    const oldest = page.at(-1);
    if (record !== undefined || oldest === undefined || oldest.seq === 1) return record;
    from = oldest.seq;
  }
}

const atOnce = 1000;
const turnAtOnce = 400;
