import type { Journal } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { endedWorker, refusalsIn, refusalsTogether, type Refusals } from '../../views/refusals.ts';
import { newestTurn } from './read-back.ts';

/** The refusals in a turn up to its end, including those to its workers. Default: the newest turn. */
export async function readRefusals(journal: Journal, id: SessionId, turn?: number): Promise<Refusals> {
  const events = await (turn === undefined ? newestOf(journal, id) : eventsOf(journal, id, turn));
  const below = new Set(events.flatMap(({ event }) => endedWorker(event) ?? []));
  const theirs = await Promise.all([...below].map((session) => readRefusals(journal, session)));
  return refusalsTogether([refusalsIn(await withPrompt(journal, id, events)), ...theirs]);
}

async function newestOf(journal: Journal, id: SessionId): Promise<readonly Recorded[]> {
  const head = await journal.head(id);
  const events = await newestTurn(journal, id, (head?.seq ?? 0) + 1);
  return events.slice(
    Math.max(
      0,
      events.findLastIndex(({ event }) => event.type === 'turn-started'),
    ),
  );
}

async function eventsOf(journal: Journal, id: SessionId, turn: number): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  for (let after = turn - 1; ;) {
    const page = await journal.read(id, { after, limit: atOnce });
    const end = page.events.findIndex(({ event }) => event.type === 'turn-ended');
    events.push(...(end === -1 ? page.events : page.events.slice(0, end + 1)));
    after = page.events.at(-1)?.seq ?? page.last;
    if (end !== -1 || after >= page.last) return events;
  }
}

/** A task's calls are in its prompt, which precedes the turn. */
async function withPrompt(
  journal: Journal,
  id: SessionId,
  events: readonly Recorded[],
): Promise<readonly Recorded[]> {
  const event = events[0]?.event;
  if (event?.type !== 'turn-started') return events;
  const { events: prompt } = await journal.read(id, { after: event.prompt - 1, limit: 1 });
  return [...prompt, ...events];
}

const atOnce = 1000;
