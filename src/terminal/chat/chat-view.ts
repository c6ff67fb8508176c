/**
 * The chat's view state, folded from a session's updates: the conversation, streaming text, the workers and the
 * terminal's own notes. Pure: the screen is a function of it.
 *
 * 1. A conversation item keeps its place. A note stays where it was added.
 * 2. Fully streamed text is kept for the message it became, so that it isn't read twice.
 */
import type { BlobHash, EffectId, SessionId } from '../../kernel/ids.ts';
import { isBlobRef, type Body } from '../../kernel/content.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Update } from '../../session/update.ts';
import type { ContextShare } from '../../views/context-share.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import type { Status } from '../../views/status.ts';
import { listAppended } from '../../views/persistent-list.ts';
import type { Item, ItemId } from '../../views/transcript-item.ts';
import { newTranscript, transcriptWith, type Transcript } from '../../views/transcript.ts';
import { itemId } from '../../views/transcript-view.ts';
import type { Rule } from '../../kernel/rule.ts';
import { rulesIn } from '../../views/session-permissions.ts';
import { workerRowsWith, type WorkerLine } from './worker-rows.ts';

export interface ChatView {
  readonly session: SessionId;
  readonly transcript: Transcript;
  readonly status: Status | undefined;
  readonly streams: ReadonlyMap<EffectId, Stream>;
  /** Full texts of which the journal's events hold the beginning. */
  readonly texts: ReadonlyMap<BlobHash, string>;
  readonly notes: readonly Note[];
  readonly workers: readonly WorkerLine[];
  /** Open questions of the sessions that work for this one. */
  readonly questionsBelow: readonly OpenQuestion[];
  /** What fills the model's window. Undefined until it is known. */
  readonly context: ContextShare | undefined;
  /** Undefined until an event with rules was seen. */
  readonly rules: readonly Rule[] | undefined;
  /** Dollars of the turn that runs, and of ended turns by the item of their ending. */
  readonly spent: number;
  readonly costs: ReadonlyMap<ItemId, number>;
}

export interface Stream {
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
  readonly output: string;
  /** The effect's own status, such as a retry. */
  readonly status: string;
}

/** A note of the terminal, which isn't part of the session. */
export interface Note {
  /** How many conversation items precede it. */
  readonly place: number;
  readonly tone: 'plain' | 'warning' | 'error';
  readonly text: string;
}

/** `shared`: the history before the fork, if it is one. */
export function newChatView(session: SessionId, shared: readonly Item[] = []): ChatView {
  const transcript = newTranscript(session);
  return {
    session,
    transcript: { ...transcript, items: shared.reduce(listAppended, transcript.items) },
    status: undefined,
    streams: new Map(),
    texts: new Map(),
    notes: [],
    workers: [],
    questionsBelow: [],
    context: undefined,
    rules: undefined,
    spent: 0,
    costs: new Map(),
  };
}

export function chatViewWith(view: ChatView, update: Update): ChatView {
  switch (update.type) {
    case 'event':
      return withEvent(view, update.recorded);
    case 'progress': {
      const { effect, attempt, kind, offset, text } = update;
      const known = view.streams.get(effect);
      const stream = known === undefined || known.attempt !== attempt ? newStream(attempt) : known;
      const streams = new Map(view.streams);
      streams.set(effect, {
        ...stream,
        [kind]: kind === 'status' ? text : stream[kind].slice(0, offset) + text,
      });
      return { ...view, streams };
    }
    // The follower restarts from further back: see watch-session.ts.
    case 'snapshot':
    case 'gap':
      return view;
  }
}

export function withNote(view: ChatView, text: string, tone: Note['tone'] = 'plain'): ChatView {
  const note: Note = { place: view.transcript.items.length, tone, text };
  return { ...view, notes: [...view.notes, note].slice(-mostNotes) };
}

export function withText(view: ChatView, hash: BlobHash, text: string): ChatView {
  return { ...view, texts: new Map(view.texts).set(hash, text) };
}

/** Questions of the session and its workers, in the order they were asked. */
export function openQuestionsIn({ status, questionsBelow }: ChatView): readonly OpenQuestion[] {
  return [...(status?.questions ?? []), ...questionsBelow].toSorted(
    (a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1),
  );
}

export function isWorking({ status }: ChatView): boolean {
  return status?.turn !== undefined;
}

const mostNotes = 200;

function newStream(attempt: number): Stream {
  return { attempt, text: '', reasoning: '', output: '', status: '' };
}

function withEvent(view: ChatView, recorded: Recorded): ChatView {
  const { event } = recorded;
  const transcript = transcriptWith(view.transcript, recorded);
  const workers = workerRowsWith(view.workers, recorded);
  const next = {
    ...view,
    transcript,
    workers,
    rules: rulesIn(recorded) ?? view.rules,
    ...costsWith(view, recorded),
  };
  if (event.type === 'model-settled') {
    const stream = view.streams.get(event.effect);
    const reply = event.outcome.type === 'completed' ? event.outcome.text : '';
    const texts = stream === undefined ? view.texts : withWhole(view.texts, reply, stream.text);
    return { ...next, texts, streams: without(view.streams, event.effect) };
  }
  // The remaining streams belong to effects of the turn.
  if (event.type === 'turn-ended' && view.streams.size > 0) return { ...next, streams: new Map() };
  return next;
}

function costsWith(
  { spent, costs }: ChatView,
  { event, seq }: Recorded,
): Partial<Pick<ChatView, 'spent' | 'costs'>> {
  switch (event.type) {
    case 'turn-started':
      return { spent: 0 };
    case 'model-settled':
      return { spent: spent + (event.outcome.usage?.cost ?? 0) };
    case 'tool-settled':
      return { spent: spent + (event.sampled?.usage.cost ?? 0) };
    case 'turn-ended':
      return spent === 0 ? {} : { costs: new Map([...costs].slice(-mostCosts)).set(itemId(seq), spent) };
    default:
      return {};
  }
}

/** More turns than a screen draws. */
const mostCosts = 200;

function withWhole(texts: ChatView['texts'], body: Body, streamed: string): ChatView['texts'] {
  if (!isBlobRef(body) || streamed.length !== body.length) return texts;
  return new Map(texts).set(body.blob, streamed);
}

function without(streams: ChatView['streams'], effect: EffectId): ChatView['streams'] {
  if (!streams.has(effect)) return streams;
  const rest = new Map(streams);
  rest.delete(effect);
  return rest;
}
