/**
 * The model's messages, folded from the journal. This is the only fold that grows in place: a copy per step would
 * make a step as expensive as its history. One session owns it, and messages are added only at step boundaries, so
 * a model call in flight never sees its request change.
 *
 * A fold may start at any mark. Compactions and rewinds aren't applied here: the holder folds the new context from
 * the journal, as on opening.
 */
import { previewOf, type Body } from '../content.ts';
import type { KeptFacts } from '../context.ts';
import type { Event, Recorded } from '../event.ts';
import { questionIdOf, type CallId, type QuestionId, type SessionId } from '../ids.ts';
import type { Message } from '../message.ts';
import { optional } from '../optional.ts';
import type { ToolResult } from '../outcome.ts';
import { editedChat, type Request } from '../prompt.ts';
import { answerText } from '../question.ts';
import { editedNotice, endingNotice, movedNotice, nearedNotice, resultMessage } from './event-messages.ts';
import { quotationNotice, quotationOf } from './quotation.ts';

export interface Conversation {
  readonly session: SessionId;
  /** The journal being folded; sequences refer to it. */
  journal: SessionId;
  readonly messages: Message[];
  /** How many messages represent what a compaction omitted. */
  opening: number;
  /** What that compaction kept word for word. */
  kept: KeptFacts | undefined;
  /** Queued prompts by sequence, with edits applied. */
  waiting: Map<number, Request> | undefined;
  /** The calls of the newest reply or task, for their tool names. */
  calls: readonly { readonly id: CallId; readonly tool: string }[];
  /** Calls that followed from one of them: the model never asked for these. */
  followUps: readonly CallId[];
  reviews: readonly QuestionId[];
  /** Open questions about the meaning of prompts. */
  clarifying: readonly { readonly question: QuestionId; readonly text: string }[];
  /** Workers' reports, added at the next step boundary. */
  readonly reports: Message[];
  /** The text of an interrupted reply. Added only if the turn ends with it, not before a retry. */
  readonly brokenOff: Message[];
  /** The external agent's input for its current turn, as a range of `messages`; earlier messages are history. */
  readonly agentPrompt: { from: number; to: number };
  /** Where the running turn's messages start. */
  turnFrom: number;
  /** Where the conversation can be cut without separating a tool call from its result. */
  readonly marks: Mark[];
  /** The prompts of the newest turn. Replaced, never mutated, because marks refer to it. */
  prompts: readonly number[];
}

/** The event at which a fold must start to produce the messages from `index` on. */
export interface Mark {
  readonly kind: 'turn' | 'step' | 'end';
  readonly seq: number;
  /** The event's journal, if it isn't this one. */
  readonly journal?: SessionId;
  readonly index: number;
  /** Earlier prompts of the turn that would have to be repeated. */
  readonly restated: readonly number[];
}

const none: readonly never[] = [];

export function newConversation(session: SessionId): Conversation {
  return {
    session,
    journal: session,
    messages: [],
    opening: 0,
    kept: undefined,
    waiting: undefined,
    calls: none,
    followUps: none,
    reviews: none,
    clarifying: none,
    reports: [],
    brokenOff: [],
    agentPrompt: { from: 0, to: 0 },
    turnFrom: 0,
    marks: [],
    prompts: none,
  };
}

/** Starts a span of a journal and adds what the previous one left pending. */
export function beginSpan(conversation: Conversation, journal: SessionId): void {
  conversation.journal = journal;
  tellReports(conversation);
  conversation.brokenOff.length = 0;
  conversation.prompts = none;
  conversation.waiting = undefined;
  conversation.calls = [];
  conversation.reviews = [];
}

export function extend(conversation: Conversation, { event, seq }: Recorded): void {
  const { journal, messages } = conversation;
  switch (event.type) {
    case 'prompt-received':
      return wait(conversation, seq, event.request);
    case 'queue-changed':
      return changeWaiting(conversation, event.change);
    case 'turn-started':
      tellReports(conversation);
      conversation.turnFrom = messages.length;
      conversation.prompts = none;
      mark(conversation, 'turn', seq);
      return take(conversation, event.prompt);
    case 'prompt-joined':
      tellReports(conversation);
      return take(conversation, event.prompt);
    case 'agent-turn-intended': {
      tellReports(conversation);
      const { agentPrompt } = conversation;
      agentPrompt.from = agentPrompt.to === 0 ? conversation.turnFrom : agentPrompt.to;
      agentPrompt.to = messages.length;
      return;
    }
    case 'model-call-intended':
    case 'compaction-intended':
      conversation.brokenOff.length = 0;
      tellReports(conversation);
      mark(conversation, event.type === 'model-call-intended' ? 'step' : 'end', seq);
      return;
    case 'model-settled': {
      const { outcome } = event;
      if (outcome.type === 'completed') {
        const { text, reasoning, carry } = outcome;
        const calls = outcome.calls.map(({ id, tool, args }) => ({ id, tool, args }));
        conversation.calls = calls;
        conversation.followUps = none;
        // Providers refuse a history that holds an empty answer.
        if (text === '' && calls.length === 0) return;
        const isPlain = reasoning === undefined && carry === undefined;
        messages.push(
          isPlain
            ? { role: 'assistant', text, calls }
            : {
                role: 'assistant',
                text,
                ...optional({ reasoning }),
                calls,
                ...optional({ carry }),
              },
        );
      } else if (outcome.partial !== undefined && outcome.partial !== '') {
        conversation.brokenOff.push({ role: 'assistant', text: outcome.partial, calls: [] });
      }
      return;
    }
    case 'tool-settled':
      if (event.followUps !== undefined)
        conversation.followUps = [...conversation.followUps, ...event.followUps.map(({ id }) => id)];
      if (conversation.followUps.includes(event.call)) return tellFollowUp(conversation, resultText(event.result));
      messages.push(resultMessage(event.call, toolOf(conversation, event.call), event.result));
      return;
    case 'call-refused': {
      if (conversation.followUps.includes(event.call)) return tellFollowUp(conversation, event.reason);
      const tool = toolOf(conversation, event.call);
      messages.push({ role: 'tool', call: event.call, tool, outcome: 'refused', text: event.reason });
      return;
    }
    case 'agent-reported':
      if (event.report.type === 'message')
        messages.push({ role: 'assistant', text: event.report.text, calls: [] });
      return;
    case 'agent-answered': {
      const { refused, reason } = event;
      if (reason === undefined || (refused !== 'person' && refused !== 'policy')) return;
      const who = refused === 'person' ? 'The user turned down' : 'The policy refused';
      conversation.reports.push({ role: 'notice', text: `${who} what you asked for: ${reason}` });
      return;
    }
    case 'question-answered': {
      const { clarifying, reviews } = conversation;
      const asked = clarifying.find(({ question }) => question === event.question);
      if (asked !== undefined) {
        conversation.clarifying = clarifying.filter((other) => other !== asked);
        const text = `The user was asked: ${asked.text} The answer: ${answerText(event.answer)}`;
        messages.push({ role: 'notice', text });
      }
      if (event.answer.type === 'allow-edited' && event.edited !== undefined) {
        const tool = toolOf(conversation, event.edited.call);
        conversation.reports.push({ role: 'notice', text: editedNotice(tool, event.answer.args) });
      }
      if (!reviews.includes(event.question)) return;
      conversation.reviews = reviews.filter((question) => question !== event.question);
      if (event.answer.type === 'reject') {
        const why = event.answer.reason === undefined ? '.' : `: ${event.answer.reason}`;
        messages.push({ role: 'notice', text: `The user turned this reply down${why}` });
      }
      return;
    }
    case 'worker-reported': {
      const { worker, state, text } = event.report;
      if (state === 'spawned' || state === 'progressed') return;
      const report = text === undefined ? '' : `: ${previewOf(text)}`;
      conversation.reports.push({ role: 'notice', text: `Worker ${worker} ${state}${report}` });
      return;
    }
    case 'limit-neared':
      messages.push({ role: 'notice', text: nearedNotice(event) });
      return;
    case 'verdict-reached': {
      const { verdict, evidence, action } = event.verdict;
      if (action === 'warn') {
        const text = `You seem to be ${verdict}: ${evidence} Do something else, or say why it cannot be done.`;
        conversation.reports.push({ role: 'notice', text });
      }
      return;
    }
    case 'question-opened':
      if (event.about.type === 'reply-review') {
        conversation.reviews = [...conversation.reviews, questionIdOf(journal, seq)];
      }
      if (event.about.type === 'clarification' && event.about.call === undefined) {
        const asked = { question: questionIdOf(journal, seq), text: previewOf(event.about.text) };
        conversation.clarifying = [...conversation.clarifying, asked];
      }
      return;
    case 'turn-ended': {
      if (conversation.brokenOff.length > 0) messages.push(...conversation.brokenOff.splice(0));
      const notice = endingNotice(event.ending);
      if (notice !== undefined) messages.push({ role: 'notice', text: notice });
      return;
    }
    case 'place-moved':
      conversation.reports.push({ role: 'notice', text: movedNotice(event) });
      return;
    case 'session-imported':
      return quoteAll(conversation);
    default:
      return;
  }
}

/** Imported messages become a quotation, and nothing in them stays open. */
function quoteAll(conversation: Conversation): void {
  const { messages } = conversation;
  tellReports(conversation);
  conversation.brokenOff.length = 0;
  messages.splice(0, messages.length, ...messages.map(quotationOf));
  if (messages.length > 0) messages.push({ role: 'notice', text: quotationNotice });
  conversation.kept = undefined;
  conversation.waiting = undefined;
  conversation.calls = none;
  conversation.reviews = none;
  conversation.clarifying = none;
}

function mark(
  { session, marks, messages, prompts, journal }: Conversation,
  kind: Mark['kind'],
  seq: number,
): void {
  const index = messages.length;
  marks.push(
    journal === session
      ? { kind, seq, index, restated: prompts }
      : { kind, seq, journal, index, restated: prompts },
  );
}

function toolOf({ calls }: Conversation, call: CallId): string {
  return calls.find(({ id }) => id === call)?.tool ?? 'tool';
}

/** Providers refuse a result without a call, so it becomes a notice. */
function tellFollowUp({ reports }: Conversation, text: Body): void {
  reports.push({
    role: 'notice',
    text: `About the change that a command made and that was taken back: ${previewOf(text)}`,
  });
}

function resultText(result: ToolResult): Body {
  return result.type === 'error' ? result.message : (result.output ?? 'Cancelled before it finished.');
}

function tellReports({ messages, reports }: Conversation): void {
  if (reports.length > 0) messages.push(...reports.splice(0));
}

function take(conversation: Conversation, seq: number): void {
  const { messages, waiting } = conversation;
  const request = waiting?.get(seq);
  if (waiting === undefined || request === undefined) return;
  waiting.delete(seq);
  if (waiting.size === 0) conversation.waiting = undefined;
  if (request.type === 'compact') return;
  if (request.type === 'chat') {
    conversation.prompts = [...conversation.prompts, seq];
    messages.push(promptMessage(request));
    return;
  }
  const calls = request.calls.map(({ id, tool, args }) => ({ id, tool, args }));
  conversation.calls = calls;
  messages.push(
    { role: 'notice', text: 'The user ran these tools directly.' },
    { role: 'assistant', text: '', calls },
  );
}

export function promptMessage({ text, attachments }: Extract<Request, { type: 'chat' }>): Message {
  return attachments === undefined ? { role: 'user', text } : { role: 'user', text, attachments };
}

/** Tracks only prompts and their edits, for the span before a fold that takes prompts from it. */
export function extendQueue(conversation: Conversation, { event, seq }: Recorded): void {
  if (event.type === 'prompt-received') wait(conversation, seq, event.request);
  if (event.type === 'queue-changed') changeWaiting(conversation, event.change);
}

function wait(conversation: Conversation, seq: number, request: Request): void {
  conversation.waiting = (conversation.waiting ?? new Map<number, Request>()).set(seq, request);
}

function changeWaiting(
  conversation: Conversation,
  change: Extract<Event, { type: 'queue-changed' }>['change'],
): void {
  const { waiting } = conversation;
  if (waiting === undefined) return;
  if (change.type === 'cleared') conversation.waiting = undefined;
  if (change.type === 'removed') waiting.delete(change.prompt);
  if (change.type !== 'edited') return;
  const request = waiting.get(change.prompt);
  if (request?.type === 'chat') waiting.set(change.prompt, editedChat(request, change));
}
