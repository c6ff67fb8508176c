import { RequestError, type PromptResponse } from '@agentclientprotocol/sdk';

import type { Ending } from '../../kernel/outcome.ts';
import { stopReasonOf } from './stop-reason.ts';

interface Waiter {
  readonly resolve: (response: PromptResponse) => void;
  readonly reject: (error: Error) => void;
}

/** This client's prompts, from acceptance to the end of the turn that ran them. */
export function createTurnWaiters() {
  const waiting = new Map<number, Waiter>();
  const taken = new Set<Waiter>();
  const settleOne = ({ resolve, reject }: Waiter, ending: Ending): void => {
    const stopReason = stopReasonOf(ending);
    if (stopReason !== undefined) resolve({ stopReason });
    else reject(RequestError.internalError({ ending }, 'message' in ending ? ending.message : ending.type));
  };
  return {
    wait: (prompt: number, waiter: Waiter) => void waiting.set(prompt, waiter),
    waiting: (): readonly number[] => [...waiting.keys()],
    /** True while a prompt of this client is part of the current turn. */
    isRunning: (): boolean => taken.size > 0,
    taken(prompt: number): void {
      const waiter = waiting.get(prompt);
      if (waiter === undefined) return;
      waiting.delete(prompt);
      taken.add(waiter);
    },
    dropped(prompts: Iterable<number>): void {
      for (const prompt of prompts) {
        waiting.get(prompt)?.resolve({ stopReason: 'cancelled' });
        waiting.delete(prompt);
      }
    },
    settle(ending: Ending): void {
      for (const waiter of taken) settleOne(waiter, ending);
      taken.clear();
    },
    /** Resolves at the end of the current turn. */
    next(): Promise<PromptResponse> {
      const { promise, resolve, reject } = Promise.withResolvers<PromptResponse>();
      taken.add({ resolve, reject });
      return promise;
    },
    close(): void {
      for (const { resolve } of [...waiting.values(), ...taken]) resolve({ stopReason: 'cancelled' });
      waiting.clear();
      taken.clear();
    },
  };
}
