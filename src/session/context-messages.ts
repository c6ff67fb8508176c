import type { Journal } from '../journal/journal.ts';
import { extend, newConversation, type Conversation } from '../kernel/conversation.ts';
import type { Recorded } from '../kernel/event.ts';
import type { AgentPrompt } from './interpreter.ts';
import type { Message } from '../kernel/message.ts';
import type { State } from '../kernel/state.ts';

/**
 * The messages of a live session's context. A session that was opened from disk reads them only when
 * a model is first called, so that opening costs the tail and not the history.
 */
export interface ContextMessages {
  load(state: State): Promise<readonly Message[]>;
  /** What an external agent is told with its present turn, and what was said before. */
  agentPrompt(state: State): Promise<AgentPrompt>;
  saw(recorded: Recorded): void;
}

const pageSize = 5000;

export function createContextMessages(journal: Journal, opened: State): ContextMessages {
  let conversation: Conversation | undefined = opened.seq === 0 ? newConversation(opened.id) : undefined;
  let loading: Promise<readonly Message[]> | undefined;
  const sawMeanwhile: Recorded[] = [];

  async function readAll(state: State): Promise<readonly Message[]> {
    const loaded = newConversation(state.id);
    let last = state.context.from - 1;
    for (;;) {
      const page = await journal.read(state.id, { after: last, limit: pageSize });
      for (const recorded of page.events) {
        extend(loaded, recorded);
        last = recorded.seq;
      }
      if (page.events.length === 0 || last >= page.last) break;
    }
    for (const recorded of sawMeanwhile) if (recorded.seq > last) extend(loaded, recorded);
    sawMeanwhile.length = 0;
    conversation = loaded;
    loading = undefined;
    return loaded.messages;
  }

  return {
    async load(state) {
      if (conversation !== undefined) return conversation.messages;
      return (loading ??= readAll(state));
    },
    async agentPrompt(state) {
      if (conversation === undefined) await (loading ??= readAll(state));
      const { messages, agentPrompt } = conversation ?? newConversation(state.id);
      return {
        before: messages.slice(0, agentPrompt.from),
        told: messages.slice(agentPrompt.from, agentPrompt.to),
      };
    },
    saw(recorded) {
      if (conversation !== undefined) extend(conversation, recorded);
      else if (loading !== undefined) sawMeanwhile.push(recorded);
    },
  };
}
