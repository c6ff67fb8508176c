/**
 * Finds the prompt that a question is about, in a journal of any length: pages back from the named event, then
 * forward from the prompt to the first step of its turn.
 *
 * 1. An event belongs to the prompt that started its turn. A prompt's own event belongs to that prompt.
 * 2. Without an event, it is the newest prompt.
 * 3. Questions, interpretations and edits after its arrival count.
 */
import type { Page } from '../../ports/journal.ts';
import type { Recorded } from '../../kernel/event.ts';
import type { Meaning } from '../../kernel/meaning.ts';
import { editedChat, type Request } from '../../kernel/prompt.ts';
import { answerText } from '../../kernel/question.ts';

export type ReadEvents = (range: { readonly after: number; readonly limit: number }) => Promise<Page>;

interface AskedPrompt {
  readonly request: Chat;
  /** The meaning after the model's and the person's answers. */
  readonly meaning: Meaning;
  readonly heard: readonly string[];
}

type Chat = Extract<Request, { type: 'chat' }>;

const pageSize = 1000;

export async function findAskedPrompt(read: ReadEvents, event?: number): Promise<AskedPrompt | undefined> {
  const { last } = await read({ after: 0, limit: 1 });
  const from = event === undefined ? last : Math.min(event, last);
  let seq: number | undefined;
  for (let to = from; to > 0 && seq === undefined; to -= pageSize) {
    const events = await readUpTo(read, Math.max(0, to - pageSize), to);
    seq = event === undefined ? newestChat(events) : promptOf(events, event);
  }
  if (seq === undefined) return undefined;
  // A task or a compaction request has no meaning, so the question is about the prompt before it.
  return (await heardOf(read, seq)) ?? findAskedPrompt(read, seq - 1);
}

/** A page holds whole records, so several may be needed. */
async function readUpTo(read: ReadEvents, from: number, to: number): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  for (let after = from; after < to;) {
    const { events } = await read({ after, limit: pageSize });
    const newest = events.at(-1);
    if (newest === undefined) break;
    records.push(...events.filter(({ seq }) => seq <= to));
    after = newest.seq;
  }
  return records;
}

function newestChat(events: readonly Recorded[]): number | undefined {
  return events.findLast(({ event }) => isChat(event))?.seq;
}

function promptOf(events: readonly Recorded[], named: number): number | undefined {
  if (events.some(({ seq, event }) => seq === named && isChat(event))) return named;
  const started = events.findLast(({ event }) => event.type === 'turn-started')?.event;
  return started?.type === 'turn-started' ? started.prompt : undefined;
}

function isChat(event: Recorded['event']): boolean {
  return event.type === 'prompt-received' && event.request.type === 'chat';
}

async function heardOf(read: ReadEvents, seq: number): Promise<AskedPrompt | undefined> {
  const heard: string[] = [];
  let request: Chat | undefined;
  let meaning: Meaning = {};
  let isInTurn = false;
  for (let after = seq - 1; ;) {
    const { events, last } = await read({ after, limit: pageSize });
    for (const recorded of events) {
      const { event } = recorded;
      if (recorded.seq === seq) {
        if (event.type !== 'prompt-received' || event.request.type !== 'chat') return undefined;
        const { request: chat } = event;
        request = chat;
        meaning = chat;
      } else if (event.type === 'queue-changed' && event.change.type === 'edited' && request !== undefined) {
        if (event.change.prompt !== seq) continue;
        request = editedChat(request, event.change);
        meaning = request;
        heard.push('edited while it waited');
      } else if (event.type === 'turn-started') {
        isInTurn = event.prompt === seq;
      } else if (isInTurn && event.type === 'prompt-understood') {
        const { outcome } = event;
        if (outcome.type === 'understood') ({ meaning } = outcome);
        heard.push(`asked the model: ${outcome.type === 'unclear' ? outcome.problem : outcome.type}`);
      } else if (isInTurn && event.type === 'question-answered' && event.meaning !== undefined) {
        ({ meaning } = event);
        heard.push(`asked what was meant: ${answerText(event.answer)}`);
      } else if (isInTurn && isFirstStep(event)) {
        return request === undefined ? undefined : { request, meaning, heard };
      }
    }
    after = events.at(-1)?.seq ?? last;
    if (after >= last || events.length === 0) break;
  }
  return request === undefined ? undefined : { request, meaning, heard };
}

/** After this event, the turn's meaning no longer changes. */
function isFirstStep({ type }: Recorded['event']): boolean {
  return type === 'model-call-intended' || type === 'agent-turn-intended' || type === 'turn-ended';
}
