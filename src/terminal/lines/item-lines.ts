/** One conversation item as lines. */
import { previewOf, type Body } from '../../kernel/content.ts';
import type { Actor } from '../../kernel/actor.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { durationText } from '../../wording/duration.ts';
import { questionEndText } from '../../wording/answer.ts';
import { endingText } from '../../wording/ending.ts';
import { noticeText } from '../../wording/notice.ts';
import { oneLine } from '../../views/one-line.ts';
import { printable } from '../../views/printable.ts';
import { subjectText } from '../../wording/question.ts';
import type {
  AgentCallItem,
  AgentPlanItem,
  EndingItem,
  Item,
  MessageItem,
  PromptItem,
  QuestionItem,
  WorkerItem,
} from '../../views/transcript-item.ts';
import { callLines } from './call-lines.ts';
import { wrapped } from './fit.ts';
import type { Look } from './look.ts';

export function itemLines(item: Item, session: SessionId, look: Look): readonly string[] {
  switch (item.type) {
    case 'prompt':
      return promptLines(item, look);
    case 'message':
      return messageLines(item, look);
    case 'call':
      return callLines(item, session, look);
    case 'question':
      return questionLines(item, look);
    case 'notice':
      // The turn's ending already reports an interrupt.
      return item.about.type === 'interrupted'
        ? []
        : quiet(`· ${noticeText(item.about, otherThanSelf(item.by))}`, look);
    case 'ending':
      return endingLines(item, look);
    case 'worker':
      return workerLines(item, look);
    case 'agent-message':
      return spoken(look.textOf(item.text), look);
    case 'agent-thought':
      return reasoningLines(look.textOf(item.text), item.id, look);
    case 'agent-call':
      return agentCallLines(item, look);
    case 'agent-plan':
      return planLines(item, look);
  }
}

function promptLines({ asked, by, taken, edited }: PromptItem, look: Look): readonly string[] {
  const { paint, width, prompt } = look;
  const mark = `${paint.user(taken === 'joined' ? '↪' : prompt)} `;
  const text = askedText(asked, look);
  const who = by.name === 'terminal' ? '' : ` — ${by.name}`;
  const note = `${who}${edited === undefined ? '' : ` (edited by ${edited.by.name})`}`;
  const lines = wrapped(printable(text).trimEnd(), width, mark, '  ').map((line) => paint.strong(line));
  return note === '' ? lines : [...lines, ...quiet(note.trimStart(), look)];
}

function askedText(asked: PromptItem['asked'], look: Look): string {
  switch (asked.type) {
    case 'chat':
      return look.textOf(asked.text);
    case 'task':
      return `run ${asked.tools.join(', ')}`;
    case 'compact':
      return asked.keep === undefined
        ? 'summarize the conversation'
        : `summarize, and keep: ${look.textOf(asked.keep)}`;
  }
}

function messageLines(item: MessageItem, look: Look): readonly string[] {
  const { paint } = look;
  const { outcome, reasoning } = item;
  const text = look.textOf(item.text);
  const failed = outcome.type === 'completed' ? [] : wrapped(failureText(item), look.width).map(paint.error);
  return [
    ...(reasoning === undefined ? [] : reasoningLines(look.textOf(reasoning), item.id, look)),
    ...(text === '' ? [] : spoken(text, look)),
    ...(isCut(item.text, text) ? quiet('… (loading the rest)', look) : []),
    ...failed,
  ];
}

function failureText({ outcome }: MessageItem): string {
  switch (outcome.type) {
    case 'completed':
      return '';
    case 'failed':
      return `The model failed: ${outcome.message}`;
    case 'cancelled':
      return 'Cancelled here.';
    case 'timed-out':
      return outcome.message;
  }
}

/** The agent's text. */
function spoken(text: string, { markdown, width }: Look): readonly string[] {
  return markdown(printable(text), width);
}

export function reasoningLines(text: string, id: string, look: Look): readonly string[] {
  const { paint, width } = look;
  if (text.trim() === '') return [];
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  if (!look.isOpen(`${id} reasoning`)) return quiet(`▸ thought, ${words} words · ctrl+t opens`, look);
  const lines = wrapped(printable(text).trim(), width, '│ ').map((line) => paint.quiet(paint.slanted(line)));
  return [paint.quiet(`▾ thought, ${words} words`), ...lines];
}

/** An open question appears below the conversation. This shows how it ended. */
function questionLines({ about, state }: QuestionItem, look: Look): readonly string[] {
  const end = questionEndText(state);
  return end === undefined ? [] : quiet(`? ${oneLine(subjectText(about))} — ${end}`, look);
}

function endingLines({ ending, durationMs }: EndingItem, look: Look): readonly string[] {
  if (ending.type === 'completed') {
    return durationMs === undefined || durationMs < 5000 ? [] : quiet(`· ${durationText(durationMs)}`, look);
  }
  const style = ending.type === 'cancelled' ? look.paint.warning : look.paint.error;
  return wrapped(endingText(ending), look.width).map(style);
}

function workerLines({ worker, state, text }: WorkerItem, look: Look): readonly string[] {
  // The list of workers shows progress.
  if (state === 'progressed') return [];
  const { paint, width } = look;
  const name = look.workerName(worker);
  const head = `${paint.named(name)('◆')} ${paint.named(name)(name)} ${paint.quiet(state)} `;
  if (text === undefined) return [head.trimEnd()];
  const words = printable(look.textOf(text)).trim();
  const style = state === 'failed' || state === 'stalled' ? paint.error : paint.quiet;
  const lines = wrapped(words, width, '  ');
  const shown = look.isOpen(`worker ${worker}`) ? lines : lines.slice(0, 4);
  return [head.trimEnd(), ...shown.map(style), ...(lines.length > shown.length ? [paint.quiet('  …')] : [])];
}

function agentCallLines({ title, call, state, content }: AgentCallItem, look: Look): readonly string[] {
  const { paint } = look;
  const mark = { completed: paint.good('✓'), failed: paint.error('✗') }[state as string] ?? paint.accent('◐');
  const lines = content === undefined ? [] : printable(previewOf(content)).trimEnd().split('\n').slice(0, 3);
  return [
    ...wrapped(`${mark} ${oneLine(title ?? call)} ${paint.quiet(state)}`, look.width),
    ...lines.flatMap((line) => wrapped(paint.quiet(line), look.width, '  ')),
  ];
}

export function planLines({ entries }: Pick<AgentPlanItem, 'entries'>, look: Look): readonly string[] {
  const { paint, width } = look;
  return entries.flatMap(({ text, state }) => {
    const isDone = state === 'completed';
    const isNow = state === 'in_progress' || state === 'in-progress';
    const mark = isDone ? paint.good('☑') : isNow ? paint.accent('◐') : paint.quiet('☐');
    const words = isDone ? paint.struck(printable(text)) : printable(text);
    return wrapped(isNow ? paint.strong(words) : words, width, `${mark} `, '  ');
  });
}

/** Undefined for this terminal's own user, who knows what they did. */
export function otherThanSelf(by: Actor): Actor | undefined {
  return by.type === 'person' && by.name !== 'terminal' ? by : undefined;
}

function quiet(text: string, { paint, width }: Look): readonly string[] {
  return wrapped(printable(text), width).map(paint.quiet);
}

function isCut(body: Body, shown: string): boolean {
  return typeof body !== 'string' && shown.length < body.length;
}
