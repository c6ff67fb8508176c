/**
 * Waits for the end of a turn whose session may live in another process, and whose owner may leave or die during
 * it.
 */
import { turnOf, type State } from '../../kernel/state.ts';
import { waitsForJobs } from '../../views/status.ts';
import { listenRemotely } from '../remote/listen-remotely.ts';
import { readLetter } from '../remote/serve-letters.ts';
import type { TurnResult, WaitOptions } from '../receipt.ts';
import { acquireSession, stateOf, storedStateOf, watchOwner, type HandlePlace } from './session-place.ts';
import {
  awaitTurn,
  failWaiting,
  newTurnWatch,
  watchEvent,
  watchHeldUp,
  watchStanding,
} from '../live/turn-watch.ts';
import type { Update } from '../update.ts';

/** The end of the running turn. Undefined if none runs. */
export async function runningTurn(place: HandlePlace, options: WaitOptions): Promise<TurnResult | undefined> {
  const live = await acquireSession(place);
  const now = live === 'remote' ? await stateOf(place) : live.state;
  if (turnOf(now) === undefined) return undefined;
  if (live === 'remote') return watchTurn(place, now.seq, undefined, options);
  const ended = awaitTurn(live.turns, undefined, options);
  live.stand();
  return ended;
}

/** Watches a turn through the journal, for sessions in other processes and for prompts sent before. */
export async function watchTurn(
  place: HandlePlace,
  after: number,
  prompt: number | undefined,
  options: WaitOptions,
): Promise<TurnResult> {
  const { id, parts } = place;
  const { store, sessions } = parts;
  const turns = newTurnWatch();
  const done = awaitTurn(turns, prompt, options);
  const fail = (error: Error) => failWaiting(turns, error);
  const tell = (update: Update) => {
    if (update.type !== 'event') return;
    watchEvent(turns, update.recorded);
    if (update.recorded.event.type === 'question-opened') {
      stateOf(place).then((now) => watchStanding(turns, now), fail);
    }
  };
  const { clock } = parts;
  const listener = listenRemotely(store, id, { after, tell, end: fail, closing: sessions.closing, clock });
  // If the owner leaves or dies during this turn, this process takes over.
  const takeUp = async () => {
    const live = await acquireSession(place);
    if (live !== 'remote') live.stand();
    const now = live === 'remote' ? await storedStateOf(place) : live.state;
    if (live !== 'remote' || !(await isAnswering(place, now))) watchStanding(turns, now);
    if (waitsForJobs(now)) watchHeldUp(turns, (await parts.heldUpBy?.(id)) ?? []);
  };
  const stopWatching = watchOwner(place, takeUp, fail);
  try {
    return await done;
  } finally {
    stopWatching();
    listener.stop();
  }
}

/** True if an answer waits for the owner: if that is suspended, this process soon takes the answer. */
async function isAnswering({ id, parts: { store } }: HandlePlace, { questions }: State): Promise<boolean> {
  if (questions.length === 0 || (await store.leases.ownerOf(id)) === undefined) return false;
  const letters = await store.inbox.take(id);
  return letters.some(({ body }) => {
    const input = readLetter(body)?.body;
    return input?.type === 'question-answered' && questions.some((question) => question.id === input.question);
  });
}
