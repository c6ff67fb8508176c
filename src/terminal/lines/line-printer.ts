/** Prints what is new in a chat: text as it streams, each call when it ends, each question once. */
import { isBlobRef, previewOf } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import { questionEndText } from '../../wording/answer.ts';
import { costText } from '../../wording/cost.ts';
import { createLightMarkdown } from '../../wording/light-markdown.ts';
import { modelEndText } from '../../wording/model-end.ts';
import { noticeText } from '../../wording/notice.ts';
import { plainTerminal } from '../../wording/terminal-style.ts';
import { transcriptLines } from '../../wording/transcript-lines.ts';
import { isViewer, otherThan } from '../../wording/viewer.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { printable } from '../../views/printable.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { questionCard } from '../../wording/question-card.ts';
import type { CallItem, Item } from '../../views/transcript-item.ts';
import { openQuestionsIn, type ChatView } from '../chat/chat-view.ts';
import { wrapped } from './fit.ts';
import { spokenItem, spokenRequest } from './spoken-lines.ts';

interface LinePrinter {
  print(view: ChatView, from: number): void;
  end(): void;
}

/** An item may change long after it appeared. Items before these are final. */
const reach = 200;

interface LinePrinterOptions {
  /** Each line starts with a word for its state. A pipe gets the text alone. */
  readonly isSpoken: boolean;
  /** The name under which this user's actions are recorded. */
  readonly self: () => string;
  /** Lines wrap at words. Undefined leaves that to the reader. */
  readonly columns?: () => number | undefined;
}

export function createLinePrinter(
  write: (text: string) => void,
  { isSpoken, self, columns = () => undefined }: LinePrinterOptions,
): LinePrinter {
  const printed = new Set<string>();
  let session: string | undefined;
  let streamed: { readonly effect: string; count: number } | undefined;
  let streamedEffects = new Set<string>();
  let isMidLine = false;
  let notes = 0;

  /** Nobody wants to hear the marks of Markdown. */
  const markdown = createLightMarkdown(plainTerminal.paint);
  let isFirstLine = false;

  const say = (text: string) => {
    if (text === '') return;
    write(printable(text));
    isMidLine = !text.endsWith('\n');
  };
  const shown = (text: string) => {
    const width = isSpoken ? columns() : undefined;
    return width === undefined ? text : wrapped(text, width - 1).join('\n');
  };
  const agent = (text: string) => {
    if (text.trim() === '' && isFirstLine) return;
    say(shown(`${isFirstLine ? 'agent: ' : ''}${text}`));
    isFirstLine = false;
  };
  const restOfText = () => {
    const rest = markdown.rest();
    if (rest !== '') agent(`${rest}\n`);
  };
  const line = (text: string) => {
    if (text === '') return;
    restOfText();
    say(`${isMidLine ? '\n' : ''}${shown(text)}\n`);
  };

  function printItem(item: Item, isTask: boolean, view: ChatView): void {
    if (printed.has(item.id)) return;
    const isStreamed = item.type === 'message' && streamedEffects.has(item.effect);
    const text = isSpoken
      ? spokenItem(item, isStreamed, self(), spentText(item, view))
      : textOfItem(item, isStreamed, self());
    if (text === undefined) return;
    printed.add(item.id);
    if (isStreamed) restOfText();
    line(text);
    if (isSpoken && item.type === 'ending') say('\n');
    if (isTask && item.type === 'call') line(taskOutput(item).trimEnd());
  }

  return {
    end() {
      restOfText();
      if (isMidLine) say('\n');
    },
    print(view, from) {
      if (view.session !== session) {
        session = view.session;
        printed.clear();
        streamedEffects = new Set();
        streamed = undefined;
      }
      const { items, writing } = view.transcript;
      let isTask = false;
      for (const item of itemsBetween(items, Math.max(from, items.length - reach), items.length)) {
        if (item.type === 'prompt') isTask = item.asked.type === 'task';
        printItem(item, isTask, view);
      }
      const text = writing === undefined ? '' : (view.streams.get(writing.effect)?.text ?? '');
      if (writing !== undefined && text !== '') {
        if (streamed?.effect !== writing.effect || streamed.count > text.length)
          streamed = { effect: writing.effect, count: 0 };
        const more = printable(text.slice(streamed.count));
        if (isSpoken && streamed.count === 0) {
          restOfText();
          isFirstLine = true;
        }
        if (isSpoken) agent(markdown.add(more));
        else say(more);
        streamed.count = text.length;
        streamedEffects.add(writing.effect);
      }
      for (const note of view.notes.slice(Math.min(notes, view.notes.length))) line(note.text);
      notes = view.notes.length;
      const [question] = openQuestionsIn(view);
      if (question !== undefined && !printed.has(question.id)) {
        printed.add(question.id);
        const project = view.status?.cwd.split('/').at(-1) ?? '';
        restOfText();
        line(isSpoken ? `\n${spokenRequest(question, project).join('\n')}` : `? ${cardText(question, view)}`);
      }
    },
  };
}

/** `, $0.12, context 18%` */
function spentText({ id, type }: Item, { costs, context }: ChatView): string {
  if (type !== 'ending') return '';
  const cost = costs.get(id);
  const share =
    context?.window === undefined ? '' : `, context ${Math.round((context.tokens / context.window) * 100)}%`;
  return `${cost === undefined ? '' : `, ${costText({ cost, costIsKnown: true })}`}${share}`;
}

function cardText(question: OpenQuestion, { texts }: ChatView): string {
  const { args } = question;
  const whole = args === undefined || !isBlobRef(args) ? undefined : texts.get(args.blob);
  return questionCard(question, { answerBy: 'key', ...optional({ args: whole }) })
    .map(({ text }) => text)
    .join('\n');
}

/** Undefined while it isn't final. Empty if there is nothing to print. */
function textOfItem(item: Item, isStreamed: boolean, self: string): string | undefined {
  switch (item.type) {
    case 'prompt':
      return isViewer(self, item.by.name) || item.asked.type !== 'chat' ? '' : linesOf(item);
    case 'message':
      return [isStreamed ? '' : printable(previewOf(item.text)), modelEndText(item.outcome)]
        .filter(Boolean)
        .join('\n');
    case 'question':
      // The card above it has the question.
      return item.state.type === 'open' ? undefined : `  ${questionEndText(item.state, self)}`;
    case 'notice':
      return `- ${noticeText(item.about, otherThan(self, item.by))}`;
    case 'ending':
      return item.ending.type === 'completed' ? '' : linesOf(item);
    case 'agent-message':
      return printable(previewOf(item.text));
    case 'agent-thought':
      return '';
    case 'call':
      return isEnded(item) ? linesOf(item) : undefined;
    case 'worker':
    case 'agent-call':
    case 'agent-plan':
      return linesOf(item);
  }
}

function linesOf(item: Item): string {
  return transcriptLines(item, { ...plainTerminal, textOf: previewOf, viewer: 'terminal' }).join('\n');
}

function isEnded({ state }: CallItem): boolean {
  return state.type !== 'planned' && state.type !== 'asking' && state.type !== 'running';
}

/** Shows the output of the user's own call, because no model summarizes it. */
function taskOutput({ state }: CallItem): string {
  if (state.type !== 'succeeded') return '';
  const output = printable(previewOf(state.output));
  return isBlobRef(state.output) ? `${output}\n[cut; \`rondo show\` has all of it]` : output;
}
