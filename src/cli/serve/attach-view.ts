/** What a followed session looks like in a terminal: the words as they come, one line for each thing done. */
import type { ConnectionState, SessionUpdate } from '../../client/client.ts';
import type { Call } from '../../kernel/call.ts';
import { previewOf } from '../../kernel/content.ts';
import type { Event } from '../../kernel/event.ts';
import { questionIdOf } from '../../kernel/ids.ts';
import type { WireView } from '../../protocol/server-message.ts';
import type { Item, PromptItem } from '../../views/transcript-item.ts';
import { questionAbout, type OpenQuestion } from '../../views/open-question.ts';
import { questionCard } from '../../wording/question-card.ts';
import { requestText } from '../../views/request-text.ts';
import { stateText } from '../../wording/state.ts';
import { printable } from '../../views/printable.ts';

export interface AttachView {
  update(update: SessionUpdate): void;
  connection(state: ConnectionState): void;
  /** The oldest question that is open. */
  readonly question: OpenQuestion | undefined;
  /** Whether a turn is running: what is said then joins it. */
  readonly isRunning: boolean;
}

export interface AttachOutput {
  readonly isJson: boolean;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

export function createAttachView({ isJson, out, err }: AttachOutput): AttachView {
  let questions: readonly OpenQuestion[] = [];
  /** The newest reply's calls: what a question about one of them is really about. */
  let calls: ReadonlyMap<string, Call> = new Map();
  let isRunning = false;
  let isMidLine = false;
  let spoken = '';

  const line = (text: string) => {
    out(`${isMidLine ? '\n' : ''}${printable(text)}\n`);
    isMidLine = false;
  };
  const ask = (question: OpenQuestion) => {
    for (const { text } of questionCard(question, { answerBy: 'key' })) line(text);
  };

  function shown({ status, transcript, streaming }: WireView): void {
    isRunning = status.turn !== undefined;
    ({ questions } = status);
    if (isJson) return;
    line(`${status.session} · ${status.agent} · ${stateText(status.lifecycle)}`);
    for (const item of transcript.items) for (const text of itemLines(item)) line(text);
    for (const { text } of streaming) speak(text);
    for (const question of questions) ask(question);
  }
  function speak(text: string): void {
    if (text === '') return;
    spoken += text;
    out(printable(text));
    isMidLine = !text.endsWith('\n');
  }

  function took({ event, seq, session, at, by }: Extract<SessionUpdate, { type: 'event' }>): void {
    const text = isJson ? undefined : eventLine(event, by.name);
    if (text !== undefined) line(text);
    switch (event.type) {
      case 'turn-started':
        isRunning = true;
        return;
      case 'turn-ended':
        isRunning = false;
        questions = [];
        return;
      case 'model-settled':
        if (event.outcome.type === 'completed') {
          calls = new Map(event.outcome.calls.map((call) => [call.id, call]));
        }
        // Said while nobody here was listening.
        if (!isJson && spoken === '' && event.outcome.type === 'completed') speak(previewOf(event.outcome.text));
        if (!isJson && isMidLine) line('');
        spoken = '';
        return;
      case 'tool-settled':
        calls = new Map([...calls, ...(event.followUps ?? []).map((call) => [call.id, call] as const)]);
        return;
      case 'question-opened': {
        const { about } = event;
        const call = 'call' in about && about.call !== undefined ? calls.get(about.call) : undefined;
        const opened = { id: questionIdOf(session, seq), openedAt: at, about };
        const question = call === undefined ? opened : questionAbout(opened, call);
        questions = [...questions, question];
        if (!isJson) ask(question);
        return;
      }
      case 'question-answered':
      case 'question-closed':
        questions = questions.filter(({ id }) => id !== event.question);
        return;
      default:
        return;
    }
  }

  return {
    update(update) {
      if (isJson) out(`${JSON.stringify(update)}\n`);
      if (update.type === 'snapshot') shown(update.view);
      else if (update.type === 'event') took(update);
      else if (update.type === 'gap' && !isJson) line(`… skipped events ${update.from} to ${update.to}`);
      else if (update.type === 'progress' && update.kind === 'text' && !isJson) speak(update.text);
    },
    connection(state) {
      if (isJson) return out(`${JSON.stringify({ ...state, type: 'connection', state: state.type })}\n`);
      if (state.type === 'waiting') err(`${isMidLine ? '\n' : ''}(${state.why}; retrying)\n`);
      if (state.type === 'closed' && state.code !== undefined) err(`rondo attach: ${state.why}\n`);
    },
    get question() {
      return questions[0];
    },
    get isRunning() {
      return isRunning;
    },
  };
}

function askedText(asked: PromptItem['asked']): string {
  switch (asked.type) {
    case 'chat':
      return previewOf(asked.text);
    case 'task':
      return asked.tools.join(', ');
    case 'compact':
      return 'summarize the conversation';
  }
}

function eventLine(event: Event, by: string): string | undefined {
  switch (event.type) {
    case 'prompt-received':
      return `${by}: ${requestText(event.request)}`;
    case 'question-answered':
      return `${by} answered: ${event.answer.type}`;
    case 'turn-ended':
      return event.ending.type === 'completed' ? undefined : `— ${event.ending.type}`;
    case 'tool-settled':
      return `· ${event.result.type}`;
    case 'session-closed':
      return 'The session is closed.';
    default:
      return undefined;
  }
}

function itemLines(item: Item): readonly string[] {
  switch (item.type) {
    case 'prompt':
      return [`${item.by.name}: ${askedText(item.asked)}`];
    case 'message':
      return [previewOf(item.text)];
    case 'agent-message':
      return [previewOf(item.text)];
    default:
      return [];
  }
}
