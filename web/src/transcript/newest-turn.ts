/** What a person can do about a newest turn that failed or was stopped. */
import type { Status } from '../../../src/views/status.ts';
import { itemsBetween } from '../../../src/views/persistent-list.ts';
import type { EndingItem } from '../../../src/views/transcript-item.ts';
import type { RondoApp } from '../connection/rondo-app.svelte.ts';
import type { SessionView } from '../session/session-view.ts';

export interface NewestTurn {
  readonly session: string;
  readonly status: Status;
  /** Sends the turn's prompt again. */
  retry(): void;
  /** Absent while prompts wait: the queue has its own button. */
  readonly resume: (() => void) | undefined;
  /** The event before the turn's prompt. */
  readonly before: number;
}

/** Undefined unless the ending is that of the newest turn, and a message from a person began it. */
export function newestTurn(
  app: RondoApp,
  session: string,
  { transcript, status }: SessionView,
  ending: EndingItem,
): NewestTurn | undefined {
  const { items, current } = transcript;
  if (current.turn !== undefined || status.lifecycle === 'closed') return undefined;
  const shown = itemsBetween(items, Math.max(0, items.length - 200), items.length);
  const at = shown.findLastIndex(({ type }) => type === 'prompt');
  const prompt = shown[at];
  if (prompt?.type !== 'prompt' || prompt.asked.type !== 'chat') return undefined;
  if (!shown.slice(at).some(({ id }) => id === ending.id)) return undefined;
  const { text } = prompt.asked;
  if (typeof text !== 'string') return undefined;
  return {
    session,
    status,
    retry: () => void app.send(session, { type: 'chat', text }),
    resume:
      transcript.waiting.length > 0
        ? undefined
        : () => void app.send(session, { type: 'chat', text: 'Continue.' }),
    before: Number.parseInt(prompt.id, 10) - 1,
  };
}
