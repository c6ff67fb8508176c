import { RequestError, type PromptResponse } from '@agentclientprotocol/sdk';

import type { Ending } from '../../kernel/outcome.ts';
import { endingError, stopReasonOf } from './stop-reason.ts';

/** A prompt of this client. */
export interface SentPrompt {
  /** Its message's id, once it is part of the conversation. Rejected if it never becomes part of it. */
  readonly inserted: Promise<string>;
  readonly ended: Promise<PromptResponse>;
}

interface Waiter {
  readonly inserted: PromiseWithResolvers<string>;
  readonly ended: PromiseWithResolvers<PromptResponse>;
}

/** This client's prompts, from acceptance to the end of the turn that ran them. */
export function createTurnWaiters() {
  const waiting = new Map<number, Waiter>();
  const taken = new Set<Waiter>();
  const settleOne = ({ ended }: Waiter, ending: Ending): void => {
    const stopReason = stopReasonOf(ending);
    if (stopReason !== undefined) ended.resolve({ stopReason });
    else ended.reject(endingError(ending));
  };
  const drop = ({ inserted, ended }: Waiter): void => {
    inserted.reject(RequestError.requestCancelled());
    ended.resolve({ stopReason: 'cancelled' });
  };
  return {
    wait(prompt: number): SentPrompt {
      const waiter = newWaiter();
      waiting.set(prompt, waiter);
      return { inserted: waiter.inserted.promise, ended: waiter.ended.promise };
    },
    waiting: (): readonly number[] => [...waiting.keys()],
    /** True while a prompt of this client is part of the current turn. */
    isRunning: (): boolean => taken.size > 0,
    taken(prompt: number, message: string): void {
      const waiter = waiting.get(prompt);
      if (waiter === undefined) return;
      waiter.inserted.resolve(message);
      waiting.delete(prompt);
      taken.add(waiter);
    },
    dropped(prompts: Iterable<number>): void {
      for (const prompt of prompts) {
        const waiter = waiting.get(prompt);
        if (waiter !== undefined) drop(waiter);
        waiting.delete(prompt);
      }
    },
    settle(ending: Ending): void {
      for (const waiter of taken) settleOne(waiter, ending);
      taken.clear();
    },
    /** Resolves at the end of the current turn. */
    next(): Promise<PromptResponse> {
      const waiter = newWaiter();
      taken.add(waiter);
      return waiter.ended.promise;
    },
    close(): void {
      for (const waiter of [...waiting.values(), ...taken]) drop(waiter);
      waiting.clear();
      taken.clear();
    },
  };
}

/** A client waits for one of the two. The other may fail without anyone looking. */
function newWaiter(): Waiter {
  const waiter = {
    inserted: Promise.withResolvers<string>(),
    ended: Promise.withResolvers<PromptResponse>(),
  };
  waiter.inserted.promise.catch(() => undefined);
  waiter.ended.promise.catch(() => undefined);
  return waiter;
}
