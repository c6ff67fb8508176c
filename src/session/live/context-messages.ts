/**
 * The messages in a live session's context. A session opened from disk reads them only at its first model call, so
 * that opening costs the tail and not the history. Compactions, rewinds and forks change the context, and it is
 * then read the same way: there is one path to a conversation.
 */
import type { Blobs } from '../../ports/blobs.ts';
import type { Journal } from '../../ports/journal.ts';
import { extend, newConversation, type Conversation } from '../../kernel/conversation/conversation.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { readConversation } from '../read/read-conversation.ts';

export interface ContextMessages {
  conversation: Conversation | undefined;
  loading: Promise<Conversation> | undefined;
  sawMeanwhile: Recorded[] | undefined;
}

interface ContextSource {
  readonly store: { readonly journal: Journal; readonly blobs: Blobs };
  readonly of: { readonly session: SessionId; readonly state: State };
}

/** A session without events knows its messages from the start. */
export function newContextMessages(opened: State): ContextMessages {
  const conversation = opened.seq === 0 ? newConversation(opened.id) : undefined;
  return { conversation, loading: undefined, sawMeanwhile: undefined };
}

export function loadConversation(held: ContextMessages, source: ContextSource): Promise<Conversation> {
  if (held.conversation !== undefined) return Promise.resolve(held.conversation);
  return (held.loading ??= read(held, source).catch((error: unknown) => {
    held.loading = undefined;
    throw error;
  }));
}

async function read(held: ContextMessages, source: ContextSource): Promise<Conversation> {
  const mine: Recorded[] = [];
  held.sawMeanwhile = mine;
  const { session, state } = source.of;
  const { conversation, last } = await readConversation(source.store, session, state.context);
  // If events during the read changed the context, this result is stale.
  if (held.sawMeanwhile !== mine) return loadConversation(held, source);
  for (const recorded of mine) if (recorded.seq > last) extend(conversation, recorded);
  held.conversation = conversation;
  held.loading = undefined;
  held.sawMeanwhile = undefined;
  return conversation;
}

export function extendMessages(held: ContextMessages, recorded: Recorded): void {
  if (changesContext(recorded)) {
    held.conversation = undefined;
    held.loading = undefined;
    held.sawMeanwhile = undefined;
  } else if (held.conversation !== undefined) extend(held.conversation, recorded);
  else if (held.loading !== undefined) held.sawMeanwhile?.push(recorded);
}

function changesContext({ event }: Recorded): boolean {
  switch (event.type) {
    case 'session-forked':
    case 'rewound':
      return true;
    case 'compaction-settled':
      return 'rest' in event.outcome && event.outcome.rest !== undefined;
    default:
      return false;
  }
}
