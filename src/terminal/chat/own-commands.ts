/**
 * Commands that the user typed after `!`. They go through the same gate as any call, so a rule that denies them
 * applies. What the gate would ask is answered, because the user decided by typing the command.
 */
import { itemsBetween } from '../../views/persistent-list.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { ChatView } from './chat-view.ts';

interface OwnCommands {
  /** The command to run: `!` repeats the last one. Undefined if there is none yet. */
  typed(command: string): string | undefined;
  /** The session accepted it. `first` is its first event. */
  sent(first: number): void;
  /** A question about one of these commands that hasn't been answered here. */
  toAnswer(view: ChatView): OpenQuestion | undefined;
}

/** A turn's prompt is among its last items. */
const reach = 20;

export function createOwnCommands(): OwnCommands {
  const prompts = new Set<number>();
  const answered = new Set<string>();
  let last: string | undefined;
  return {
    typed(command) {
      if (command !== '!') last = command;
      return last;
    },
    // In a new session, the first event is its creation, and the prompt comes second.
    sent: (first) => void prompts.add(first).add(first + 1),
    toAnswer({ transcript, status }) {
      if (prompts.size === 0) return undefined;
      const question = status?.questions.find(({ about, id }) => about.type === 'approval' && !answered.has(id));
      if (question === undefined) return undefined;
      const { items } = transcript;
      const prompt = itemsBetween(items, Math.max(0, items.length - reach), items.length).findLast(
        (item) => item.type === 'prompt' && item.taken === 'turn-started',
      );
      const isOwn = prompt?.type === 'prompt' && prompt.asked.type === 'task' && prompts.has(prompt.prompt);
      if (!isOwn) return undefined;
      answered.add(question.id);
      return question;
    },
  };
}
