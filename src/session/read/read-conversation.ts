/** Reads a context as messages from the journals it refers to, and reads no more of them than needed. */
import type { Blobs } from '../../ports/blobs.ts';
import type { Journal } from '../../ports/journal.ts';
import { compactionNotice } from '../../kernel/conversation/compaction-notice.ts';
import type { CompactionRef, Context } from '../../kernel/context.ts';
import {
  beginSpan,
  extend,
  extendQueue,
  newConversation,
  promptMessage,
  type Conversation,
} from '../../kernel/conversation/conversation.ts';
import type { Recorded } from '../../kernel/event.ts';
import { Fault } from '../../kernel/fault.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { readPages, readSpan, type Stretch } from './read-span.ts';

interface Source {
  readonly journal: Journal;
  readonly blobs: Blobs;
}

export async function readConversation(
  source: Source,
  session: SessionId,
  { compaction, spans = [], from }: Context,
): Promise<{ readonly conversation: Conversation; readonly last: number }> {
  const conversation = newConversation(session);
  // A span that starts in the middle of a turn continues with that turn's prompts.
  let prompts: readonly number[] =
    compaction === undefined ? [] : await tellCompaction(source, conversation, compaction);
  for (const span of spans) {
    const journal = span.session ?? session;
    const last = await foldSpan(source, conversation, journal, { span, prompts });
    if (last < span.to) throw missing(session, journal, span.to);
    prompts = [];
  }
  const last = await foldSpan(source, conversation, session, { span: { from }, prompts });
  return { conversation, last: Math.max(last, from - 1) };
}

/** Returns the last sequence. 0 if there was nothing. */
async function foldSpan(
  { journal }: Source,
  conversation: Conversation,
  of: SessionId,
  { span, prompts }: { readonly span: Stretch; readonly prompts: readonly number[] },
): Promise<number> {
  beginSpan(conversation, of);
  conversation.prompts = prompts;
  let last = 0;
  // A whole journal is folded page by page, so that its events are never in memory all at once.
  const pages = span.from <= 1 ? readPages(journal, of, span) : [await readSpan(journal, of, span)];
  for await (const events of pages) {
    if (span.from > 1) await takeUpWaiting(journal, conversation, of, events);
    for (const recorded of events) extend(conversation, recorded);
    last = events.at(-1)?.seq ?? last;
  }
  return last;
}

/** Looks up prompts that were waiting when the span started, and skips their other events. */
async function takeUpWaiting(
  journal: Journal,
  conversation: Conversation,
  of: SessionId,
  events: readonly Recorded[],
): Promise<void> {
  const from = events[0]?.seq ?? 0;
  let earliest = from;
  for (const { event } of events) {
    if (event.type === 'turn-started' || event.type === 'prompt-joined')
      earliest = Math.min(earliest, event.prompt);
  }
  if (earliest === from) return;
  for (const recorded of await readSpan(journal, of, { from: earliest, to: from - 1 })) {
    extendQueue(conversation, recorded);
  }
}

async function tellCompaction(
  { journal, blobs }: Source,
  conversation: Conversation,
  { session = conversation.session, seq }: CompactionRef,
): Promise<readonly number[]> {
  const [record] = await readSpan(journal, session, { from: seq, to: seq });
  const event = record?.event;
  if (event?.type !== 'compaction-settled') throw missing(conversation.session, session, seq);
  const { outcome } = event;
  if (outcome.type !== 'completed' && outcome.type !== 'failed') throw missing(conversation.session, session, seq);
  const body = outcome.type === 'completed' ? outcome.summary : '';
  const summary = typeof body === 'string' ? body : ((await blobs.get(body.blob)) ?? body.preview);
  conversation.messages.push({ role: 'notice', text: compactionNotice(outcome, summary) });
  const { restated = [] } = outcome.rest ?? {};
  if (restated.length > 0) {
    const queue = newConversation(session);
    const stretch = { from: Math.min(...restated), to: seq };
    for (const recorded of await readSpan(journal, session, stretch)) extendQueue(queue, recorded);
    for (const prompt of restated) {
      const request = queue.waiting?.get(prompt);
      if (request?.type === 'chat') conversation.messages.push(promptMessage(request));
    }
  }
  conversation.opening = conversation.messages.length;
  conversation.kept = outcome.kept;
  return restated;
}

function missing(session: SessionId, journal: SessionId, seq: number): Fault {
  return new Fault(
    'damaged',
    `Can't read the conversation of session ${session}: event ${seq} of session ${journal}, which it continues from, ` +
      'cannot be read; run `rondo doctor`.',
  );
}
