/**
 * The messages a model is told, folded from the journal. The one fold that grows in place: a copy
 * per step would make a step cost its history. Owned by one session; a message is only ever added
 * at a step boundary, so a model call in flight never sees its request change.
 */
import { previewOf } from './content.ts';
import type { Event, Recorded } from './event.ts';
import { questionIdOf, type CallId, type QuestionId, type SessionId } from './ids.ts';
import type { Message } from './message.ts';
import type { Ending, ToolResult } from './outcome.ts';
import type { Request } from './prompt.ts';
import { answerText } from './question.ts';

export interface Conversation {
  readonly session: SessionId;
  readonly messages: Message[];
  /** Prompts that wait, by sequence, with later edits applied. */
  readonly waiting: Map<number, Request>;
  /** Tools by call, for the calls of the newest reply or task. */
  readonly tools: Map<CallId, string>;
  readonly reviews: Set<QuestionId>;
  /** What prompts were asked to mean, by question. */
  readonly clarifying: Map<QuestionId, string>;
  /** What workers reported meanwhile; told at the next step boundary. */
  readonly reports: Message[];
  /** What a reply that broke off had said; told only if the turn ends with it, not before another try. */
  readonly brokenOff: Message[];
  /** What an external agent is told with its present turn, as places in `messages`; what stands before it is history. */
  readonly agentPrompt: { from: number; to: number };
  /** Where the messages of the running turn begin. */
  turnFrom: number;
}

export function newConversation(session: SessionId): Conversation {
  return {
    session,
    messages: [],
    waiting: new Map(),
    tools: new Map(),
    reviews: new Set(),
    clarifying: new Map(),
    reports: [],
    brokenOff: [],
    agentPrompt: { from: 0, to: 0 },
    turnFrom: 0,
  };
}

export function extend(conversation: Conversation, { event, seq }: Recorded): void {
  const { session, messages, waiting, tools } = conversation;
  switch (event.type) {
    case 'prompt-received':
      waiting.set(seq, event.request);
      return;
    case 'queue-changed':
      return changeWaiting(waiting, event.change);
    case 'turn-started':
      conversation.turnFrom = messages.length;
      return take(conversation, event.prompt);
    case 'prompt-joined':
      return take(conversation, event.prompt);
    case 'agent-turn-intended': {
      messages.push(...conversation.reports.splice(0));
      const { agentPrompt } = conversation;
      agentPrompt.from = agentPrompt.to === 0 ? conversation.turnFrom : agentPrompt.to;
      agentPrompt.to = messages.length;
      return;
    }
    case 'model-call-intended':
      conversation.brokenOff.length = 0;
      messages.push(...conversation.reports.splice(0));
      return;
    case 'model-settled': {
      const { outcome } = event;
      if (outcome.type === 'completed') {
        const { text, reasoning, carry } = outcome;
        tools.clear();
        for (const call of outcome.calls) tools.set(call.id, call.tool);
        const calls = outcome.calls.map(({ id, tool, args }) => ({ id, tool, args }));
        // Providers refuse a history that holds an empty answer.
        if (text === '' && calls.length === 0) return;
        messages.push({
          role: 'assistant',
          text,
          ...(reasoning !== undefined && { reasoning }),
          calls,
          ...(carry !== undefined && { carry }),
        });
      } else if (outcome.partial !== undefined && outcome.partial !== '') {
        conversation.brokenOff.push({ role: 'assistant', text: outcome.partial, calls: [] });
      }
      return;
    }
    case 'tool-settled':
      messages.push(resultMessage(event.call, tools.get(event.call) ?? 'tool', event.result));
      return;
    case 'call-refused': {
      const tool = tools.get(event.call) ?? 'tool';
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
      const asked = conversation.clarifying.get(event.question);
      if (asked !== undefined) {
        conversation.clarifying.delete(event.question);
        const text = `The user was asked: ${asked} The answer: ${answerText(event.answer)}`;
        messages.push({ role: 'notice', text });
      }
      if (conversation.reviews.delete(event.question) && event.answer.type === 'reject') {
        const why = event.answer.reason === undefined ? '.' : `: ${event.answer.reason}`;
        messages.push({ role: 'notice', text: `The user turned this reply down${why}` });
      }
      return;
    }
    case 'worker-reported': {
      const { worker, state, text } = event.report;
      if (state === 'spawned' || state === 'progressed') return;
      const said = text === undefined ? '' : `: ${previewOf(text)}`;
      conversation.reports.push({ role: 'notice', text: `Worker ${worker} ${state}${said}` });
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
      if (event.about.type === 'reply-review') conversation.reviews.add(questionIdOf(session, seq));
      if (event.about.type === 'clarification' && event.about.call === undefined) {
        conversation.clarifying.set(questionIdOf(session, seq), previewOf(event.about.text));
      }
      return;
    case 'turn-ended': {
      messages.push(...conversation.brokenOff.splice(0));
      const notice = endingNotice(event.ending);
      if (notice !== undefined) messages.push({ role: 'notice', text: notice });
      return;
    }
    default:
      return;
  }
}

function take({ messages, waiting, tools, reports }: Conversation, seq: number): void {
  const request = waiting.get(seq);
  if (request === undefined) return;
  waiting.delete(seq);
  messages.push(...reports.splice(0));
  if (request.type === 'chat') {
    const { text, attachments } = request;
    messages.push({ role: 'user', text, ...(attachments !== undefined && { attachments }) });
    return;
  }
  tools.clear();
  const calls = request.calls.map(({ id, tool, args }) => ({ id, tool, args }));
  for (const call of calls) tools.set(call.id, call.tool);
  messages.push(
    { role: 'notice', text: 'The user ran these tools directly.' },
    { role: 'assistant', text: '', calls },
  );
}

function changeWaiting(
  waiting: Map<number, Request>,
  change: Extract<Event, { type: 'queue-changed' }>['change'],
): void {
  if (change.type === 'cleared') return waiting.clear();
  if (change.type === 'removed') waiting.delete(change.prompt);
  if (change.type !== 'edited') return;
  const request = waiting.get(change.prompt);
  if (request?.type === 'chat') waiting.set(change.prompt, { ...request, text: change.text });
}

function resultMessage(call: CallId, tool: string, result: ToolResult): Message {
  switch (result.type) {
    case 'success':
      return { role: 'tool', call, tool, outcome: 'success', text: result.output };
    case 'error':
      return { role: 'tool', call, tool, outcome: 'error', text: result.message };
    case 'cancelled':
      return {
        role: 'tool',
        call,
        tool,
        outcome: 'cancelled',
        text: result.output ?? 'Cancelled before it finished.',
      };
  }
}

function nearedNotice({ name, used, limit }: Extract<Event, { type: 'limit-neared' }>): string {
  const [spent, most] =
    name === 'cost' ? [`$${used.toFixed(2)}`, `$${limit}`] : [`${used}`, `${limit} ${named[name]}`];
  return `${spent} of this session's budget of ${most} are used. Come to an end before it is spent.`;
}

const named = { tokens: 'tokens', 'tool-calls': 'tool calls' } as const;

/** A turn that ended well needs no word; the others would leave the model guessing. */
function endingNotice(ending: Ending): string | undefined {
  switch (ending.type) {
    case 'completed':
      return undefined;
    case 'cancelled':
      return 'The user interrupted this turn.';
    case 'failed':
    case 'timed-out':
      return `This turn ended early: ${ending.message}`;
  }
}
