/** Who waits for the end of a turn, by the prompt that started or joined it. */
import type { Body } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { State } from '../kernel/state.ts';
import { isBlockedOnPerson } from '../views/status.ts';
import type { TurnResult } from './receipt.ts';
import { saidAfter } from './said.ts';

export interface TurnWatch {
  /** `prompt` is the sequence of its `prompt-received`; undefined waits for whichever turn ends next. */
  wait(prompt: number | undefined, options: WaitOptions): Promise<TurnResult>;
  saw(recorded: Recorded): void;
  /** After each commit: tells those who do not wait for answers that the turn stands still. */
  stood(state: State): void;
  fail(error: Error): void;
  readonly waiting: number;
}

export interface WaitOptions {
  /** `return` when the turn cannot go on without a person; `wait` for the person. */
  readonly whenAsked: 'return' | 'wait';
}

interface Waiter extends WaitOptions {
  readonly prompt: number | undefined;
  readonly resolve: (result: TurnResult) => void;
  readonly reject: (error: Error) => void;
}

const takenBack: Ending = { type: 'cancelled', reason: 'The prompt was taken back before its turn.' };
const closed: Ending = { type: 'cancelled', reason: 'The session was closed before the turn of this prompt.' };

export function createTurnWatch(): TurnWatch {
  const waiters = new Set<Waiter>();
  let turn = 0;
  let prompts = new Set<number>();
  let said: readonly Body[] = [];
  const end = (ending: Ending, isMeant: (waiter: Waiter) => boolean) => {
    for (const waiter of waiters) {
      if (!isMeant(waiter)) continue;
      waiters.delete(waiter);
      waiter.resolve({ type: 'ended', turn, ending, said });
    }
  };
  return {
    wait: (prompt, options) =>
      new Promise((resolve, reject) => waiters.add({ prompt, resolve, reject, ...options })),
    saw({ event, seq }) {
      said = saidAfter(said, event);
      switch (event.type) {
        case 'turn-started':
          turn = seq;
          prompts = new Set([event.prompt]);
          return;
        case 'prompt-joined':
          prompts.add(event.prompt);
          return;
        case 'turn-ended':
          return end(event.ending, ({ prompt }) => prompt === undefined || prompts.has(prompt));
        // A prompt that is taken back, or whose session is closed, never gets a turn.
        case 'queue-changed': {
          const { change } = event;
          const isTakenBack = (prompt: number) =>
            change.type === 'removed'
              ? change.prompt === prompt
              : change.type === 'cleared' && !prompts.has(prompt);
          return end(takenBack, ({ prompt }) => prompt !== undefined && isTakenBack(prompt));
        }
        case 'session-closed':
          return end(closed, () => true);
        default:
          return;
      }
    },
    stood(state) {
      if (waiters.size === 0 || !isBlockedOnPerson(state)) return;
      for (const waiter of waiters) {
        if (waiter.whenAsked === 'wait') continue;
        waiters.delete(waiter);
        waiter.resolve({ type: 'needs-input', questions: state.questions, said });
      }
    },
    get waiting() {
      return waiters.size;
    },
    fail(error) {
      for (const waiter of waiters) waiter.reject(error);
      waiters.clear();
    },
  };
}
