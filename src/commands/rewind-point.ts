/** A typed place in a session: `#2` is the conversation's second prompt, `12` an event. */
import { optional } from '../kernel/optional.ts';
import type { SessionClient } from '../ports/session-client.ts';
import { rewindPoints, type RewindPoint } from '../views/rewind-points.ts';
import type { Item } from '../views/transcript-item.ts';
import { eventNumber } from './event-number.ts';

export interface Point {
  /** The event to go back to. */
  readonly event: number;
  /** The prompt that it is right before. */
  readonly before?: RewindPoint;
}

/** Undefined if nothing is there. */
export async function findPoint(session: SessionClient, typed: string): Promise<Point | undefined> {
  const [, number] = /^#(\d+)$/.exec(typed) ?? [];
  if (number === undefined) {
    const event = eventNumber(typed);
    return event === undefined ? undefined : { event };
  }
  const before = (await readPoints(session)).find((point) => point.number === Number(number));
  return before === undefined ? undefined : { event: before.to, before };
}

export async function readPoints(session: SessionClient): Promise<readonly RewindPoint[]> {
  return rewindPoints(await readItems(session));
}

/** Enough for a few hundred turns. */
const mostItems = 2000;
const pageItems = 200;

/** The conversation's last items. */
export async function readItems(session: SessionClient): Promise<readonly Item[]> {
  const pages: (readonly Item[])[] = [];
  let count = 0;
  let before: string | undefined;
  do {
    const page = await session.transcript({ limit: pageItems, ...optional({ before }) });
    pages.unshift(page.items);
    count += page.items.length;
    ({ before } = page);
    // The rest belongs to the session that this one was forked from.
    if (page.items[0]?.id.includes(':') === true) break;
  } while (before !== undefined && count < mostItems);
  return pages.flat();
}
