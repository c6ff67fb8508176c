import type { Recorded } from '../kernel/event.ts';
import { refusalsIn, type Refusals } from '../views/refusals.ts';
import { newestTurn } from './read-back.ts';
import { stateOf, type Place } from './session-place.ts';

/** What was refused in a turn, from its events up to its end; without one, in the newest. */
export async function readRefusals(place: Place, turn: number | undefined): Promise<Refusals> {
  const { id, parts } = place;
  const { journal } = parts.store;
  if (turn === undefined) {
    const { seq } = await stateOf(place);
    const events = await newestTurn(journal, id, seq + 1);
    return refusalsIn(await withPrompt(place, events.slice(Math.max(0, events.findLastIndex(startsTurn)))));
  }
  const events: Recorded[] = [];
  for (let after = turn - 1; ;) {
    const page = await journal.read(id, { after, limit: atOnce });
    const end = page.events.findIndex(({ event }) => event.type === 'turn-ended');
    events.push(...(end === -1 ? page.events : page.events.slice(0, end + 1)));
    after = page.events.at(-1)?.seq ?? page.last;
    if (end !== -1 || after >= page.last) return refusalsIn(await withPrompt(place, events));
  }
}

/** A task's calls are in its prompt, which came before the turn. */
async function withPrompt({ id, parts }: Place, events: readonly Recorded[]): Promise<readonly Recorded[]> {
  const event = events[0]?.event;
  if (event?.type !== 'turn-started') return events;
  const { events: prompt } = await parts.store.journal.read(id, { after: event.prompt - 1, limit: 1 });
  return [...prompt, ...events];
}

const startsTurn = ({ event }: Recorded) => event.type === 'turn-started';
const atOnce = 1000;
