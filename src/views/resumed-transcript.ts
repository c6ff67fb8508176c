/**
 * A transcript that continues from a snapshot. The last page and the status replace the earlier events, so that a
 * client that joins in the middle folds every later event as the server does.
 *
 * 1. Open calls, questions, pauses and external agents' calls are found among the items.
 * 2. Only the beginning of a queued prompt is known. `withQueuedRequest` adds the full text.
 * 3. A page doesn't say which call an external agent asked about, so who allowed it is known only from the next one
 *    on.
 */
import { previewOf } from '../kernel/content.ts';
import type { Recorded } from '../kernel/event.ts';
import { effectIdOf, seqOfEffect, type EffectId, type WorkerId } from '../kernel/ids.ts';
import { optional } from '../kernel/optional.ts';
import { oneLine } from './one-line.ts';
import { listAppended, newList, type PersistentList } from './persistent-list.ts';
import { mapWith, newMap, type PersistentMap } from './persistent-map.ts';
import type { Status } from './status.ts';
import type { Item } from './transcript-item.ts';
import type { TranscriptPage } from './transcript-page.ts';
import type { Current, Transcript, WaitingPrompt } from './transcript-view.ts';

export function resumedTranscript(status: Status, { items }: TranscriptPage): Transcript {
  const { session, seq, agent, model, turn } = status;
  const agentRef = { name: agent, runs: 'model', ...optional({ model }) } as const;
  const writing = status.doing.find(({ effect }) => effect !== undefined && !isOfItem(items, effect));
  return {
    session,
    seq,
    items: items.reduce<PersistentList<Item>>(listAppended, newList()),
    waiting: status.queue.prompts.map((queued): WaitingPrompt => {
      const { prompt, by, delivery, preview } = queued;
      return { seq: prompt, at: status.updatedAt, by, delivery, request: { type: 'chat', text: preview } };
    }),
    writing:
      writing?.effect === undefined
        ? undefined
        : { effect: writing.effect, since: writing.since ?? status.updatedAt, attempt: attemptIn(writing.words) },
    current: {
      agent: agentRef,
      turn: turn && { id: turn.id, startedAt: turn.startedAt, agent: { ...agentRef, name: turn.agent } },
      calls: newestCalls(items),
      questions: items.flatMap((item, place) =>
        item.type === 'question' && item.state.type === 'open' ? [{ id: item.question, place }] : [],
      ),
      pause: openPause(status, items),
      ...agentsOwn(items, turn?.id),
      agentRequests: newMap(),
      workers: status.workers.map(({ id, state }) => ({ worker: id, state, ...lastWords(items, id) })),
    },
  };
}

/** Replaces a queued prompt with the full one from its event. A prompt that was edited since keeps its beginning. */
export function withQueuedRequest(view: Transcript, { seq, at, event }: Recorded): Transcript {
  if (event.type !== 'prompt-received') return view;
  const { request } = event;
  const text = request.type === 'chat' ? previewOf(request.text) : undefined;
  const waiting = view.waiting.map((queued) => {
    if (queued.seq !== seq || queued.request.type !== 'chat') return queued;
    const isEdited = text !== undefined && queued.request.text !== oneLine(text);
    return isEdited ? queued : { ...queued, at, request };
  });
  return { ...view, waiting };
}

function isOfItem(items: readonly Item[], effect: EffectId): boolean {
  const seq = seqOfEffect(effect);
  return items.some(
    (item) =>
      (item.type === 'call' && item.run?.seq === seq) || (item.type === 'notice' && Number(item.id) === seq),
  );
}

/** Parses the format of `doing`. */
function attemptIn(words: string): number {
  return Number(/, attempt (\d+)$/.exec(words)?.[1] ?? 1);
}

function newestCalls(items: readonly Item[]): Current['calls'] {
  const last = items.findLastIndex(({ type }) => type === 'call');
  const opened = openedBy(items[last]);
  let first = last;
  while (first > 0 && items[first - 1]?.type === 'call' && openedBy(items[first - 1]) === opened) first -= 1;
  const ids = items
    .slice(Math.max(0, first), last + 1)
    .flatMap((item) => (item.type === 'call' ? [item.call] : []));
  return { first: Math.max(0, first), ids };
}

function openedBy(item: Item | undefined): string | undefined {
  return item?.id.split('.')[0];
}

function openPause({ session }: Status, items: readonly Item[]): Current['pause'] {
  const place = items.findLastIndex(
    (item) => item.type === 'notice' && item.about.type === 'waiting' && item.about.endedAt === undefined,
  );
  const item = items[place];
  return item === undefined ? undefined : { effect: effectIdOf(session, Number(item.id)), place };
}

/** The external agent's reports in the running turn. */
function agentsOwn(items: readonly Item[], turn: number | undefined): Pick<Current, 'agentCalls' | 'plan'> {
  let agentCalls: PersistentMap<number> = newMap();
  let plan: number | undefined;
  for (const [place, item] of items.entries()) {
    if (turn === undefined || Number(openedBy(item)) < turn) continue;
    if (item.type === 'agent-call') agentCalls = mapWith(agentCalls, item.call, place);
    if (item.type === 'agent-plan') plan = place;
  }
  return { agentCalls, plan };
}

function lastWords(items: readonly Item[], worker: WorkerId) {
  const report = items.findLast((item) => item.type === 'worker' && item.worker === worker);
  return report?.type === 'worker' && report.text !== undefined ? { text: report.text } : {};
}
