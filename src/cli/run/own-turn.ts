/** Finds the turn of a run's own prompt. Prompts that were queued before it run first, and their replies aren't its. */
import type { Update } from '../../session/update.ts';

export interface OwnTurn {
  /** True if the update belongs to the turn of the prompt. Call with every update. */
  saw(update: Update): boolean;
}

/** Without a prompt, every turn counts. */
export function createOwnTurn(prompt: string | undefined): OwnTurn {
  if (prompt === undefined) return { saw: () => true };
  // Commands and mentions are recorded with another text.
  const isExpanded = /^\/|@/.test(prompt);
  const own = new Set<number>();
  let isOwn = false;
  return {
    saw(update) {
      if (update.type !== 'event') return isOwn;
      const { seq, event } = update.recorded;
      if (event.type === 'prompt-received' && event.request.type === 'chat') {
        if (isExpanded || event.request.text === prompt) own.add(seq);
      } else if (event.type === 'turn-started') isOwn = own.has(event.prompt);
      else if (event.type === 'prompt-joined') isOwn ||= own.has(event.prompt);
      return isOwn;
    },
  };
}
