/**
 * The messages of a live session's context. A session that was opened from disk reads them only when
 * a model is first called, so that opening costs the tail and not the history. What a compaction, a
 * rewind or a fork makes of the context is read in the same way: there is one path to a conversation.
 */
import type { Blobs } from '../journal/blobs.ts';
import type { Journal } from '../journal/journal.ts';
import type { Context } from '../kernel/context.ts';
import { extend, newConversation, type Conversation } from '../kernel/conversation.ts';
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import { readConversation } from './read-conversation.ts';

export interface ContextMessages {
  load(): Promise<Conversation>;
  saw(recorded: Recorded): void;
}

export interface ContextSource {
  readonly store: { readonly journal: Journal; readonly blobs: Blobs };
  readonly session: SessionId;
  /** Whether it has no events yet. */
  readonly isNew: boolean;
  readonly context: () => Context;
}

export function createContextMessages({ store, session, isNew, context }: ContextSource): ContextMessages {
  let conversation: Conversation | undefined = isNew ? newConversation(session) : undefined;
  let loading: Promise<Conversation> | undefined;
  let sawMeanwhile: Recorded[] = [];

  async function read(): Promise<Conversation> {
    const mine: Recorded[] = [];
    sawMeanwhile = mine;
    const { conversation: loaded, last } = await readConversation(store, session, context());
    // What came meanwhile may have changed the context: then this reading is of no use any more.
    if (sawMeanwhile !== mine) return load();
    for (const recorded of mine) if (recorded.seq > last) extend(loaded, recorded);
    conversation = loaded;
    loading = undefined;
    return loaded;
  }

  function load(): Promise<Conversation> {
    if (conversation !== undefined) return Promise.resolve(conversation);
    return (loading ??= read().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  }

  return {
    load,
    saw(recorded) {
      if (changesContext(recorded)) {
        conversation = undefined;
        loading = undefined;
        sawMeanwhile = [];
      } else if (conversation !== undefined) extend(conversation, recorded);
      else if (loading !== undefined) sawMeanwhile.push(recorded);
    },
  };
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
