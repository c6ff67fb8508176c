/** Callers that wait for the end of a turn, by the prompt that started or joined it. */
import type { Body } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Ending } from '../../kernel/outcome.ts';
import type { State } from '../../kernel/state.ts';
import { openQuestionsOf, type OpenQuestion } from '../../views/open-question.ts';
import { endedWorker, isRefusal } from '../../views/refusals.ts';
import { isBlockedOnPerson } from '../../views/status.ts';
import type { TurnResult, WaitOptions } from '../receipt.ts';
import { replyAfter } from '../read/reply-after.ts';

export interface TurnWatch {
  /** Why no turn ends here any more. A prompt may still be committed while its session stops. */
  failure: Error | undefined;
  waiters: readonly Waiter[];
  turn: number;
  prompts: readonly number[];
  texts: readonly Body[];
  hasRefusals: boolean;
}

interface Waiter extends WaitOptions {
  readonly prompt: number | undefined;
  readonly resolve: (result: TurnResult) => void;
  readonly reject: (error: Error) => void;
}

const takenBack: Ending = { type: 'cancelled', reason: 'The prompt was taken back before its turn.' };
const closed: Ending = { type: 'cancelled', reason: 'The session was closed before the turn of this prompt.' };

export function newTurnWatch(): TurnWatch {
  return { failure: undefined, waiters: none, turn: 0, prompts: none, texts: none, hasRefusals: false };
}

const none: readonly never[] = [];

/** `prompt` is the sequence of its `prompt-received`. Undefined waits for the next turn to end. */
export function awaitTurn(
  watch: TurnWatch,
  prompt: number | undefined,
  { whenAsked }: WaitOptions,
): Promise<TurnResult> {
  return new Promise((resolve, reject) => {
    if (watch.failure !== undefined) return reject(watch.failure);
    watch.waiters = [...watch.waiters, { prompt, resolve, reject, whenAsked }];
  });
}

export function watchEvent(watch: TurnWatch, { event, seq }: Recorded): void {
  watch.texts = replyAfter(watch.texts, event);
  watch.hasRefusals ||= isRefusal(event) || endedWorker(event) !== undefined;
  switch (event.type) {
    case 'turn-started':
      watch.turn = seq;
      watch.hasRefusals = false;
      watch.prompts = [event.prompt];
      return;
    case 'prompt-joined':
      watch.prompts = [...watch.prompts, event.prompt];
      return;
    case 'turn-ended':
      return end(watch, event.ending, ({ prompt }) => prompt === undefined || watch.prompts.includes(prompt));
    // A prompt that is withdrawn, or whose session is closed, never gets a turn.
    case 'queue-changed': {
      const { change } = event;
      const isTakenBack = (prompt: number) =>
        change.type === 'removed'
          ? change.prompt === prompt
          : change.type === 'cleared' && !watch.prompts.includes(prompt);
      return end(watch, takenBack, ({ prompt }) => prompt !== undefined && isTakenBack(prompt));
    }
    case 'session-closed':
      return end(watch, closed, () => true);
    default:
      return;
  }
}

/** After each commit, notifies callers that don't wait for answers if the turn is blocked. */
export function watchStanding(watch: TurnWatch, state: State): void {
  if (watch.waiters.length > 0 && isBlockedOnPerson(state)) watchHeldUp(watch, openQuestionsOf(state));
}

/** The same for questions of other sessions that the turn waits for. */
export function watchHeldUp(watch: TurnWatch, questions: readonly OpenQuestion[]): void {
  if (questions.length === 0) return;
  const { turn, texts, hasRefusals } = watch;
  for (const waiter of taken(watch, ({ whenAsked }) => whenAsked !== 'wait')) {
    waiter.resolve({ type: 'needs-input', turn, questions, texts, hasRefusals });
  }
}

/** Fails everyone who waits, and everyone who starts to wait later. */
export function failWaiting(watch: TurnWatch, error: Error): void {
  watch.failure ??= error;
  for (const waiter of taken(watch, () => true)) waiter.reject(error);
}

function end(watch: TurnWatch, ending: Ending, isMeant: (waiter: Waiter) => boolean): void {
  const { turn, texts, hasRefusals } = watch;
  for (const waiter of taken(watch, isMeant)) waiter.resolve({ type: 'ended', turn, ending, texts, hasRefusals });
}

function taken(watch: TurnWatch, isMeant: (waiter: Waiter) => boolean): readonly Waiter[] {
  const all = watch.waiters;
  if (all.length === 0) return all;
  watch.waiters = all.filter((waiter) => !isMeant(waiter));
  return all.filter(isMeant);
}
