/** Finds the turn of a run's own prompt. Prompts that were queued before it run first, and their replies aren't its. */
import type { Update } from '../../session/update.ts';

interface OwnTurn {
  /** True if the update belongs to the turn of the prompt. Call with every update. */
  saw(update: Update): boolean;
}

export interface BeforeTurn {
  /** The session's last event before the prompt was sent. */
  readonly seq: number;
  readonly isRunning: boolean;
}

/** Without a prompt, every turn counts. */
export function createOwnTurn(prompt: string | undefined, before: BeforeTurn): OwnTurn {
  if (prompt === undefined) return { saw: () => true };
  // Commands and mentions are recorded with another text, and tool calls as something else.
  const isExpanded = /^\/|@/.test(prompt);
  const others = new Set<number>();
  const isOther = (seq: number) => seq <= before.seq || others.has(seq);
  let isOwn = !before.isRunning;
  return {
    saw(update) {
      if (update.type !== 'event') return isOwn;
      const { seq, event } = update.recorded;
      if (event.type === 'prompt-received' && event.request.type === 'chat') {
        if (!isExpanded && event.request.text !== prompt) others.add(seq);
      } else if (event.type === 'turn-started') isOwn = !isOther(event.prompt);
      else if (event.type === 'prompt-joined') isOwn ||= !isOther(event.prompt);
      return isOwn;
    },
  };
}
