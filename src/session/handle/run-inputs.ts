/**
 * A run: takes inputs from a channel until they end or the mode ends it. It waits without polling. An open question
 * ends the run if nobody can answer.
 */
import type { Actor } from '../../kernel/actor.ts';
import { Fault } from '../../kernel/fault.ts';
import type { State } from '../../kernel/state.ts';
import type { Result } from '../../views/result.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { isBlockedOnPerson, isIdle, waitsForJobs } from '../../views/status.ts';
import type { ClientInput } from '../client-input.ts';
import { followPlace } from './follow-anywhere.ts';
import { sendInput } from './send-input.ts';
import { stateOf, type HandlePlace } from './session-place.ts';
import { runningTurn } from './turn-anywhere.ts';
import { lastReply } from './turn-reply.ts';

/** Who sends the inputs, and how an open question affects the run. */
export interface RunOptions {
  readonly by?: Actor;
  /** On an open question: end the run, or wait for an answer. */
  readonly whenAsked?: 'return' | 'wait';
}

export async function runInputs(
  place: HandlePlace,
  inputs: AsyncIterable<ClientInput> | Iterable<ClientInput>,
  { by, whenAsked = 'return' }: RunOptions,
): Promise<Result> {
  const from = by === undefined ? {} : { by };
  const first = await stateOf(place);
  const over = Promise.withResolvers<void>();
  const controller = new AbortController();
  let inputsEnded = false;
  let asked: readonly OpenQuestion[] | undefined;
  let isAwaited = false;

  const check = (state: State) => {
    if (isRunOver(state, { first, inputsEnded })) over.resolve();
    else if (whenAsked === 'return' && !isAwaited && (isBlockedOnPerson(state) || waitsForJobs(state))) {
      isAwaited = true;
      awaitPerson().catch(over.reject);
    }
  };
  /** An approver in this process may still answer. The turn reports when none will. */
  const awaitPerson = async () => {
    const turn = await runningTurn(place, { whenAsked });
    isAwaited = false;
    if (turn?.type !== 'needs-input') return;
    asked = turn.questions;
    over.resolve();
  };
  const observe = async () => {
    for await (const update of followPlace(place, { after: first.seq, signal: controller.signal })) {
      if (update.type === 'event') check(await stateOf(place));
    }
  };
  const feed = async () => {
    for await (const input of inputs) {
      if (controller.signal.aborted) return;
      const receipt = await sendInput(place, input, from);
      if (receipt.type === 'accepted' && receipt.waits !== undefined)
        throw new Fault('conflict', `Session ${place.id}: ${receipt.waits}`);
      check(await stateOf(place));
    }
    inputsEnded = true;
    check(await stateOf(place));
  };
  Promise.all([observe(), feed()]).catch(over.reject);
  await over.promise.finally(() => controller.abort());
  return lastReply(place, asked);
}

interface RunSoFar {
  readonly first: State;
  readonly inputsEnded: boolean;
}

function isRunOver(state: State, { first, inputsEnded }: RunSoFar): boolean {
  if (state.phase.type === 'closed') return true;
  if (inputsEnded && isIdle(state)) return true;
  const hasEndedTurn = state.lastEnding !== undefined && state.lastEnding.turn > first.seq;
  switch (state.mode.ends) {
    case 'after-turn':
      return hasEndedTurn;
    case 'when-idle':
      return hasEndedTurn && isIdle(state);
    case 'when-inputs-end':
      return false;
  }
}
