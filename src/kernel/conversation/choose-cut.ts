/**
 * Chooses where to cut the context when its older part becomes a summary.
 *
 * 1. At the start of a user's turn if that keeps little enough; within one huge turn at a step boundary, and the
 *    turn's prompts are then repeated word for word.
 * 2. A tool call and its result stay together.
 * 3. A compaction always summarizes something new, never only an earlier summary.
 */
import { estimateAttachment, estimateShown, estimateTokens } from '../content.ts';
import type { CompactionReason, Context, Rest, Span } from '../context.ts';
import type { Conversation, Mark } from './conversation.ts';
import type { SessionId } from '../ids.ts';
import type { Message } from '../message.ts';

export interface Cut {
  /** Messages before it are summarized. */
  readonly index: number;
  readonly rest: Pick<Rest, 'from' | 'spans' | 'restated'>;
}

interface CutWish {
  readonly why: CompactionReason;
  /** Keep at most this many tokens, if there is a choice. */
  readonly most: number;
}

export function chooseCut(conversation: Conversation, context: Context, wish: CutWish): Cut | undefined {
  const mark = wish.why === 'full' ? markWhenFull(conversation, wish) : markWhenAsked(conversation, wish);
  if (mark === undefined || mark.index <= conversation.opening) return undefined;
  const { restated } = mark;
  return {
    index: mark.index,
    rest: { ...placeOf(mark, context, conversation.session), ...(restated.length > 0 && { restated }) },
  };
}

/** Keeps as much as fits. */
function markWhenFull({ messages, marks, opening }: Conversation, { most }: CutWish): Mark | undefined {
  const tokens = tokensBehind(messages);
  const fits = (mark: Mark) => mark.index > opening && (tokens[mark.index] ?? 0) <= most;
  const lastTurn = marks.findLastIndex(({ kind }) => kind === 'turn');
  return (
    marks.find((mark) => mark.kind === 'turn' && fits(mark)) ??
    marks.find((mark, place) => place > lastTurn && mark.kind === 'step' && fits(mark)) ??
    marks.findLast(({ kind }) => kind === 'end')
  );
}

/** Keeps the newest turn if it is short, because it matters most for what comes next. */
function markWhenAsked({ messages, marks, opening }: Conversation, { most }: CutWish): Mark | undefined {
  const tokens = tokensBehind(messages);
  const turns = marks.filter(({ kind }) => kind === 'turn');
  const newest = turns.findLast(({ index }) => index < messages.length);
  const isKept = newest !== undefined && newest.index > opening && (tokens[newest.index] ?? 0) <= most;
  return isKept ? newest : turns.at(-1);
}

function placeOf(
  { seq, journal }: Mark,
  { from, spans = [] }: Context,
  own: SessionId,
): Pick<Rest, 'from' | 'spans'> {
  const isIn = (span: Span) => (span.session ?? own) === (journal ?? own) && span.from <= seq && seq <= span.to;
  const place = spans.findIndex(isIn);
  const span = spans[place];
  if (span === undefined) return { from: seq };
  return { from, spans: [{ ...span, from: seq }, ...spans.slice(place + 1)] };
}

/** At each index, the tokens of all messages from there. */
function tokensBehind(messages: readonly Message[]): readonly number[] {
  const sums = Array.from({ length: messages.length + 1 }, () => 0);
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const message = messages[index];
    sums[index] = (sums[index + 1] ?? 0) + (message === undefined ? 0 : messageTokens(message));
  }
  return sums;
}

export function messageTokens(message: Message): number {
  switch (message.role) {
    case 'tool':
      return estimateShown(message.text);
    case 'assistant':
      return message.calls.reduce((sum, { args }) => sum + estimateTokens(args), estimateTokens(message.text));
    case 'user':
      return (message.attachments ?? []).reduce(
        (sum, attachment) => sum + estimateAttachment(attachment),
        estimateTokens(message.text),
      );
    case 'quoted':
    case 'notice':
      return estimateTokens(message.text);
  }
}
