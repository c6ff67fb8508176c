/**
 * One session as displayed: the server's updates, folded with the server's own folds.
 *
 * 1. A snapshot replaces everything. An event is added once. Earlier pages are prepended.
 * 2. Streaming text is kept per effect. A new attempt starts over, and settled text is removed.
 */
import type { SessionUpdate } from '../../../src/client/client.ts';
import { effectIdOf, type EffectId } from '../../../src/kernel/ids.ts';
import type { WireEvent, WireProgress, WireView } from '../../../src/protocol/server-message.ts';
import type { DirectoryState } from '../../../src/views/directory.ts';
import { itemAt, itemsBetween } from '../../../src/views/persistent-list.ts';
import { resumedTranscript } from '../../../src/views/resumed-transcript.ts';
import type { Status } from '../../../src/views/status.ts';
import type { CallItem, Item, ItemId } from '../../../src/views/transcript-item.ts';
import type { TranscriptPage } from '../../../src/views/transcript-page.ts';
import { transcriptWith, type Transcript } from '../../../src/views/transcript.ts';

export interface SessionView {
  readonly status: Status;
  readonly transcript: Transcript;
  /** Pages before the transcript's own items, oldest first. */
  readonly earlier: readonly Item[];
  /** Where the next earlier page ends. Undefined at the start of the conversation. */
  readonly before: ItemId | undefined;
  readonly streams: readonly Stream[];
  /** How many of the transcript's items the user cleared from the page. Earlier pages are hidden too. */
  readonly cleared: number;
  /**
   * Change markers for lists: a different `list` means that all rows are new, a larger `added` that rows were
   * prepended.
   */
  readonly rows: { readonly list: number; readonly added: number };
}

export interface Stream {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
  readonly output: string;
  readonly status?: string;
}

export function viewOfSnapshot({ status, transcript, streaming }: WireView): SessionView {
  return {
    status,
    transcript: resumedTranscript(status, transcript),
    earlier: [],
    before: transcript.before ?? firstOf(transcript),
    streams: streaming,
    cleared: 0,
    rows: newRows(),
  };
}

let lists = 0;

export function newRows(): SessionView['rows'] {
  lists += 1;
  return { list: lists, added: 0 };
}

export function viewWith(view: SessionView, update: Exclude<SessionUpdate, { type: 'snapshot' }>): SessionView {
  switch (update.type) {
    case 'event':
      return withEvent(view, update);
    case 'progress':
      return { ...view, streams: streamsWith(view.streams, update) };
    case 'gap':
      return view;
  }
}

export function viewWithEarlier(view: SessionView, page: TranscriptPage): SessionView {
  const { before } = view;
  if (before === undefined) return view;
  return {
    ...view,
    earlier: [...page.items, ...view.earlier],
    before: page.items.length === 0 ? undefined : page.before,
    rows: { ...view.rows, added: view.rows.added + page.items.length },
  };
}

/** Only the newest part, without loaded earlier pages. */
export function withoutEarlier(view: SessionView): SessionView {
  const first = itemAt(view.transcript.items, 0)?.id;
  const before = view.earlier.length === 0 ? view.before : first;
  return { ...view, earlier: [], before, rows: newRows() };
}

/** Only the newest items. Without a count, all loaded ones. */
export function viewOfLast(view: SessionView, count: number | undefined): SessionView {
  const { length } = view.transcript.items;
  return { ...view, cleared: count === undefined ? 0 : Math.max(0, length - count), rows: newRows() };
}

/** The items on the page, oldest first. */
export function shownItems({
  items,
  earlier,
  cleared,
}: Pick<SessionView, 'earlier' | 'cleared'> & { readonly items: Transcript['items'] }): readonly Item[] {
  if (cleared > 0) return itemsBetween(items, cleared, items.length);
  return [...earlier, ...itemsBetween(items, 0, items.length)];
}

/** Derived from the newest events, because the status arrives later. */
export function phaseOf({ transcript, status }: SessionView): DirectoryState {
  const { items, current } = transcript;
  const last = itemAt(items, items.length - 1);
  if (status.lifecycle === 'closed' || (last?.type === 'notice' && last.about.type === 'closed')) return 'closed';
  if (current.turn === undefined) return 'idle';
  if (last?.type === 'notice' && last.about.type === 'interrupted') return 'cancelling';
  if (current.questions.length > 0 && status.seq >= transcript.seq)
    return status.lifecycle === 'waiting' ? 'waiting' : 'running';
  const isBusy =
    transcript.writing !== undefined || currentCalls(transcript).some(({ state }) => state.type === 'running');
  return current.questions.length > 0 && !isBusy ? 'waiting' : 'running';
}

export function streamOf({ streams }: SessionView, effect: EffectId | undefined): Stream | undefined {
  return streams.find((stream) => stream.effect === effect);
}

/** A running call's output so far. */
export function streamOfCall(view: SessionView, { run }: CallItem): Stream | undefined {
  return run === undefined ? undefined : streamOf(view, effectIdOf(view.transcript.session, run.seq));
}

function currentCalls({ items, current }: Transcript): readonly CallItem[] {
  const { first, ids } = current.calls;
  return itemsBetween(items, first, first + ids.length).filter((item) => item.type === 'call');
}

/**
 * The server's page may not know whether anything precedes it. If nothing does, the next request returns an empty
 * page.
 */
function firstOf({ items: [first] }: TranscriptPage): ItemId | undefined {
  return first !== undefined && Number.parseInt(first.id, 10) > 3 ? first.id : undefined;
}

function withEvent(view: SessionView, recorded: WireEvent): SessionView {
  const transcript = transcriptWith(view.transcript, recorded);
  const { event } = recorded;
  const left = (effect: EffectId) => view.streams.filter((stream) => stream.effect !== effect);
  switch (event.type) {
    case 'model-settled':
      return { ...view, transcript, streams: left(event.effect) };
    case 'tool-settled': {
      const run = currentCalls(view.transcript).find(({ call }) => call === event.call)?.run;
      const streams = run === undefined ? view.streams : left(effectIdOf(transcript.session, run.seq));
      return { ...view, transcript, streams };
    }
    case 'turn-ended':
      return { ...view, transcript, streams: [] };
    default:
      return { ...view, transcript };
  }
}

function streamsWith(streams: readonly Stream[], progress: WireProgress): readonly Stream[] {
  const { effect, attempt, kind, text } = progress;
  const had = streams.find((stream) => stream.effect === effect);
  if (had !== undefined && had.attempt > attempt) return streams;
  const isSame = had?.attempt === attempt;
  const base: Stream = isSame ? had : { effect, attempt, text: '', reasoning: '', output: '' };
  const grown: Stream =
    kind === 'status'
      ? { ...base, status: text }
      : { ...base, [kind]: base[kind].slice(0, progress.offset) + text };
  return had === undefined ? [...streams, grown] : streams.map((stream) => (stream === had ? grown : stream));
}
