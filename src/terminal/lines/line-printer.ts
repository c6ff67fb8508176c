/** Prints what is new in a chat: text as it streams, each call when it ends, each question once. */
import { isBlobRef, previewOf, type Body } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import { durationText } from '../../wording/duration.ts';
import { questionEndText } from '../../wording/answer.ts';
import { endingText } from '../../wording/ending.ts';
import { mainArgument } from '../../views/main-argument.ts';
import { workerText } from '../../wording/worker.ts';
import { noticeText } from '../../wording/notice.ts';
import { oneLine } from '../../views/one-line.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { printable } from '../../views/printable.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { questionCard } from '../../wording/question-card.ts';
import type { CallItem, Item } from '../../views/transcript-item.ts';
import { openQuestionsIn, type ChatView } from '../chat/chat-view.ts';
import { otherThanSelf } from './item-lines.ts';

export interface LinePrinter {
  print(view: ChatView, from: number): void;
  /** Ends an unfinished line. */
  end(): void;
}

/** An item may change long after it appeared. Items before these are final. */
const reach = 200;

export function createLinePrinter(write: (text: string) => void): LinePrinter {
  const printed = new Set<string>();
  let session: string | undefined;
  let streamed: { readonly effect: string; count: number } | undefined;
  let told = new Set<string>();
  let isMidLine = false;
  let notes = 0;

  const say = (text: string) => {
    if (text === '') return;
    write(text);
    isMidLine = !text.endsWith('\n');
  };
  const line = (text: string) => say(`${isMidLine ? '\n' : ''}${text}\n`);

  function printItem(item: Item, isTask: boolean): void {
    if (printed.has(item.id)) return;
    const words = item.type === 'call' ? callWords(item, isTask) : wordsOf(item, told);
    if (words === undefined) return;
    printed.add(item.id);
    if (words !== '') line(words);
  }

  return {
    end() {
      if (isMidLine) say('\n');
    },
    print(view, from) {
      if (view.session !== session) {
        session = view.session;
        printed.clear();
        told = new Set();
        streamed = undefined;
      }
      const { items, writing } = view.transcript;
      let isTask = false;
      for (const item of itemsBetween(items, Math.max(from, items.length - reach), items.length)) {
        if (item.type === 'prompt') isTask = item.asked.type === 'task';
        printItem(item, isTask);
      }
      const text = writing === undefined ? '' : (view.streams.get(writing.effect)?.text ?? '');
      if (writing !== undefined && text !== '') {
        if (streamed?.effect !== writing.effect || streamed.count > text.length)
          streamed = { effect: writing.effect, count: 0 };
        say(printable(text.slice(streamed.count)));
        streamed.count = text.length;
        told.add(writing.effect);
      }
      for (const note of view.notes.slice(Math.min(notes, view.notes.length))) line(note.text);
      notes = view.notes.length;
      const [question] = openQuestionsIn(view);
      if (question !== undefined && !printed.has(question.id)) {
        printed.add(question.id);
        line(`? ${cardText(question, view)}`);
      }
    },
  };
}

function cardText(question: OpenQuestion, { texts }: ChatView): string {
  const { args } = question;
  const whole = args === undefined || !isBlobRef(args) ? undefined : texts.get(args.blob);
  return questionCard(question, { answerBy: 'key', ...optional({ args: whole }) })
    .map(({ text }) => text)
    .join('\n');
}

/** Undefined while it isn't final. Empty if there is nothing to print. */
function wordsOf(item: Exclude<Item, CallItem>, told: ReadonlySet<string>): string | undefined {
  switch (item.type) {
    case 'prompt':
      return item.by.name === 'terminal' || item.asked.type !== 'chat'
        ? ''
        : `${item.by.name}: ${printable(previewOf(item.asked.text))}`;
    case 'message': {
      const { outcome } = item;
      const said = told.has(item.effect) ? '' : printable(previewOf(item.text));
      if (outcome.type === 'completed') return said;
      return [said, outcome.type === 'failed' ? `The model failed: ${outcome.message}` : '']
        .filter(Boolean)
        .join('\n');
    }
    case 'question':
      return item.state.type === 'open' ? undefined : `  ${questionEndText(item.state)}`;
    case 'notice':
      return `- ${noticeText(item.about, otherThanSelf(item.by))}`;
    case 'ending':
      return item.ending.type === 'completed' ? '' : endingText(item.ending);
    case 'worker':
      return `- ${workerText(item)}`;
    case 'agent-message':
      return printable(previewOf(item.text));
    case 'agent-thought':
      return '';
    case 'agent-call':
      return `- ${item.title ?? item.call}: ${item.state}`;
    case 'agent-plan':
      return item.entries.map(({ text, state }) => `- [${state}] ${text}`).join('\n');
  }
}

/** Shows the output of the user's own call, because no model summarizes it. */
function callWords({ tool, args, state }: CallItem, isTask: boolean): string | undefined {
  const about = oneLine(mainArgument(previewOf(args)));
  const took =
    'durationMs' in state && state.durationMs !== undefined && state.durationMs >= 1000
      ? ` (${durationText(state.durationMs)})`
      : '';
  const head = (mark: string, words = '') => `${mark} ${tool} ${about}${words}${took}`.trimEnd();
  switch (state.type) {
    case 'planned':
    case 'asking':
    case 'running':
      return undefined;
    case 'succeeded':
      return isTask ? `${head('✓')}\n${outputWords(state.output)}`.trimEnd() : head('✓');
    case 'failed':
      return head('✗', ` — ${oneLine(previewOf(state.message))}`);
    case 'refused':
      return head('✗', ` — ${oneLine(state.reason)}`);
    case 'cancelled':
      return head('✗', ' — cancelled');
  }
}

function outputWords(output: Body): string {
  const shown = printable(previewOf(output));
  return isBlobRef(output) ? `${shown}\n[cut; \`rondo show\` has all of it]` : shown;
}
