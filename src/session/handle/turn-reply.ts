/** The result of a turn for the sender of its prompt: its text, its refused calls and its ending. */
import type { Body } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { noRefusals } from '../../views/refusals.ts';
import { resultOf, type Result } from '../../views/result.ts';
import { newestTurn } from '../read/read-back.ts';
import { readRefusals } from '../read/read-refusals.ts';
import { replyAfter } from '../read/reply-after.ts';
import type { TurnResult } from '../receipt.ts';
import { readBody, stateOf, type HandlePlace } from './session-place.ts';

export async function replyOf(place: HandlePlace, turn: TurnResult): Promise<Result> {
  const text = await textOf(place, turn.texts);
  const state = await stateOf(place);
  const isSure = turn.turn > 0 && !turn.hasRefusals;
  const { journal } = place.parts.store;
  const of = turn.turn === 0 ? undefined : turn.turn;
  const refusals = isSure ? noRefusals : await readRefusals(journal, place.id, of);
  return turn.type === 'needs-input'
    ? resultOf(state, { text, refusals, asked: turn.questions })
    : resultOf(state, { text, refusals, ending: turn.ending });
}

/** The result of the newest turn. `asked`: the questions that block it. */
export async function lastReply(place: HandlePlace, asked?: readonly OpenQuestion[]): Promise<Result> {
  const { journal } = place.parts.store;
  const [text, refusals] = await Promise.all([lastText(place), readRefusals(journal, place.id)]);
  return resultOf(await stateOf(place), { text, refusals, ...optional({ asked }) });
}

/** What the agent said last. */
async function lastText(place: HandlePlace): Promise<string> {
  const { seq } = await stateOf(place);
  const events = await newestTurn(place.parts.store.journal, place.id, seq + 1);
  return textOf(
    place,
    events.reduce<readonly Body[]>((last, { event }) => replyAfter(last, event), []),
  );
}

async function textOf({ parts }: HandlePlace, texts: readonly Body[]): Promise<string> {
  const isRead = texts.every((body) => typeof body === 'string');
  return (isRead ? texts : await Promise.all(texts.map((body) => readBody(parts, body)))).join('');
}
