import type { Recorded } from '../kernel/event.ts';
import { optional } from '../kernel/optional.ts';
import { editedChat, type QueueChange, type Request } from '../kernel/prompt.ts';
import { withPlannedCalls } from './transcript-calls.ts';
import type { PromptItem } from './transcript-item.ts';
import { itemId, withItem, type Transcript, type WaitingPrompt } from './transcript-view.ts';

/** Adds a prompt to the conversation, followed by a task's calls. */
export function withTaken(
  view: Transcript,
  { seq, at }: Recorded,
  prompt: number,
  taken: PromptItem['taken'],
): Transcript {
  const waited = view.waiting.find((queued) => queued.seq === prompt);
  if (waited === undefined) return view;
  const { by, delivery, edited, request } = waited;
  const item: PromptItem = {
    type: 'prompt',
    id: itemId(seq),
    at,
    prompt,
    receivedAt: waited.at,
    by,
    delivery,
    taken,
    ...optional({ edited }),
    asked: askedIn(request),
  };
  const waiting = view.waiting.filter((queued) => queued !== waited);
  const grown = withItem({ ...view, waiting }, item);
  return request.type === 'task' ? withPlannedCalls(grown, request.calls, { seq, at }) : grown;
}

export function waitingChanged(
  waiting: readonly WaitingPrompt[],
  { by, at }: Recorded,
  change: QueueChange,
): readonly WaitingPrompt[] {
  switch (change.type) {
    case 'edited':
      return waiting.map((queued) =>
        queued.seq === change.prompt && queued.request.type === 'chat'
          ? { ...queued, edited: { by, at }, request: editedChat(queued.request, change) }
          : queued,
      );
    case 'moved': {
      const moved = waiting.filter((queued) => queued.seq === change.prompt);
      const others = waiting.filter((queued) => queued.seq !== change.prompt);
      return [...others.slice(0, change.to), ...moved, ...others.slice(change.to)];
    }
    case 'removed':
      return waiting.filter((queued) => queued.seq !== change.prompt);
    case 'cleared':
      return [];
    case 'paused':
    case 'resumed':
      return waiting;
  }
}

function askedIn(request: Request): PromptItem['asked'] {
  if (request.type === 'task') return { type: 'task', tools: request.calls.map(({ tool }) => tool) };
  if (request.type === 'compact') return request;
  const { text, attachments } = request;
  return { type: 'chat', text, ...optional({ attachments }) };
}
