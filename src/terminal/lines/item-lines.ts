/** One conversation item as lines. */
import { getImageDimensions, visibleWidth } from '@earendil-works/pi-tui';

import { lengthOf, previewOf, type Attachment, type Body } from '../../kernel/content.ts';
import { optional } from '../../kernel/optional.ts';
import { stoppedHere } from '../chat/chat.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { uncapital } from '../../wording/capital.ts';
import { exactClock, shortClock } from '../../wording/clock.ts';
import { durationText } from '../../wording/duration.ts';
import { costText } from '../../wording/cost.ts';
import { answeredText, questionEndText } from '../../wording/answer.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import { endingText } from '../../wording/ending.ts';
import { failureWords } from '../../wording/failure.ts';
import { sizeText } from '../../wording/size.ts';
import { counted } from '../../wording/counted.ts';
import { modelEndText } from '../../wording/model-end.ts';
import { noticeText } from '../../wording/notice.ts';
import { promptRequestText } from '../../wording/transcript-lines.ts';
import { isViewer, nameFor, otherThan, personName } from '../../wording/viewer.ts';
import { oneLine } from '../../views/one-line.ts';
import { mainArgument } from '../../views/main-argument.ts';
import { printable } from '../../views/printable.ts';
import type {
  AgentCallItem,
  AgentPlanItem,
  EndingItem,
  Item,
  MessageItem,
  NoticeItem,
  PromptItem,
  QuestionItem,
  WorkerItem,
} from '../../views/transcript-item.ts';
import { callLines, workingGlyph } from './call-lines.ts';
import { cut, padded, spread, wrapped } from './fit.ts';
import { innerWidth, proseWidth, type Look } from './look.ts';

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
        : quiet(withoutPlace(noticeText(item.about, otherThan(look.self, item.by)), item.about), look);
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

/** The chat lists prompts, so the number of an event says nothing here. */
function withoutPlace(text: string, { type }: NoticeItem['about']): string {
  return type === 'rewound' || type === 'files-restored' ? text.replace(/ to event \d+/, '') : text;
}

/** A band with the time at its right. A steered prompt shows when it joined the turn. */
function promptLines({ id, asked, by, taken, edited, at, receivedAt }: PromptItem, look: Look): readonly string[] {
  const { paint, width, prompt, glyphs } = look;
  const isSteered = taken === 'joined';
  const glyph = isSteered ? paint.work(glyphs.steer) : paint.user(prompt);
  const who = isViewer(look.self, by.name) ? '' : personName(by.name);
  const change = edited === undefined ? '' : `edited by ${nameFor(look.self, edited.by.name)}`;
  const when = isSteered
    ? `steered ${glyphs.dot} taken in ${exactClock(at)}`
    : width < timesFrom
      ? ''
      : shortClock(receivedAt);
  const note = [who, change, when].filter((part) => part !== '').join(` ${glyphs.dot} `);
  const room = width - 4 - (note === '' ? 0 : visibleWidth(note) + 2);
  const words = asked.type === 'task' ? `!${taskText(asked, id, look)}` : promptRequestText(asked, look.textOf);
  const attached = asked.type === 'chat' ? (asked.attachments ?? []) : [];
  const drawn = attached.map((one, index) => pictureLines(one, `${id} ${index}`, look));
  const sizes = attached.flatMap((one, index) => (drawn[index] === undefined ? pictureText(one) : []));
  const lines = [words, ...sizes].flatMap((text) => wrapped(printable(text).trimEnd(), Math.max(16, room)));
  const band = lines.map((line, index) => {
    const start = index === 0 ? `${glyph}${' '.repeat(Math.max(1, 3 - visibleWidth(glyph) - 1))}` : '  ';
    const text = index === 0 ? spread(`${start}${line}`, paint.ink3(note), width - 2) : `${start}${line}`;
    return paint.band(padded(cut(text, width), width));
  });
  return [...band, ...drawn.flatMap((picture) => picture ?? [])];
}

/** The typed command, if the call contains it. */
function taskText(
  { tools }: Extract<PromptItem['asked'], { type: 'task' }>,
  id: string,
  { turns, textOf }: Look,
): string {
  const call = turns?.calls.get(id);
  const command = call === undefined ? '' : mainArgument(textOf(call.args));
  return command === '' ? tools.join(', ') : command;
}

/** Undefined if the terminal can't draw it, or while it is read. */
function pictureLines(
  { mediaType, content }: Attachment,
  key: string,
  { pictures, textOf, width }: Look,
): readonly string[] | undefined {
  if (pictures === undefined || !mediaType.startsWith('image/')) return undefined;
  const base64 = textOf(content);
  return base64.length < lengthOf(content) ? undefined : pictures.lines({ key, mediaType, base64 }, width);
}

/** `[Image 640×480, 84 kB]`. Its size is in its first bytes. */
function pictureText({ mediaType, content }: Attachment): readonly string[] {
  if (!mediaType.startsWith('image/')) return [];
  const pixels = getImageDimensions(previewOf(content), mediaType);
  const size = pixels === null ? '' : ` ${pixels.widthPx}×${pixels.heightPx},`;
  return [`[Image${size} ${sizeText((lengthOf(content) * 3) / 4)}]`];
}

/** Narrower screens drop the times of prompts. */
const timesFrom = 80;

function messageLines(item: MessageItem, look: Look): readonly string[] {
  const { paint } = look;
  const { outcome, reasoning } = item;
  const text = look.textOf(item.text);
  const problem = modelProblem(outcome);
  const failed =
    // The turn's ending says that it was stopped.
    problem === '' || outcome.type === 'cancelled'
      ? []
      : wrapped(printable(problem), look.width - 2, `${paint.fail(look.glyphs.failed)} `, '  ');
  return [
    ...(reasoning === undefined ? [] : reasoningLines(look.textOf(reasoning), item.id, look)),
    ...(text === '' ? [] : spoken(text, look)),
    ...(isCut(item.text, text) ? quiet('… (loading the rest)', look) : []),
    ...failed,
  ];
}

function modelProblem(outcome: MessageItem['outcome']): string {
  return outcome.type === 'failed' ? failureWords(outcome).text : modelEndText(outcome);
}

/** The agent's text, without a glyph. */
function spoken(text: string, look: Look): readonly string[] {
  return proseLines(printable(text), look);
}

/** Prose starts in column 3 and wraps at 100 columns. */
export function proseLines(
  text: string,
  { markdown, width }: Pick<Look, 'markdown' | 'width'>,
): readonly string[] {
  return markdown(text, Math.min(width, proseWidth) - 4).map((line) => (line === '' ? '' : `  ${line}`));
}

export function reasoningLines(text: string, id: string, look: Look): readonly string[] {
  const { paint, width } = look;
  if (text.trim() === '') return [];
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  if (!look.isOpen(`${id} reasoning`)) return quiet(`Thought, ${counted(words, 'word')}`, look);
  const lines = wrapped(printable(text).trim(), Math.min(width, proseWidth) - 2, '  ');
  return [
    paint.ink3(`  Thought, ${counted(words, 'word')}`),
    ...lines.map((line) => paint.ink3(paint.slanted(line))),
  ];
}

/** An open question appears below the conversation. This shows how it ended. */
function questionLines({ id, about, state }: QuestionItem, look: Look): readonly string[] {
  const { paint, glyphs } = look;
  if (state.type === 'open') return [];
  const isYes = state.type === 'answered' && state.answer.type !== 'reject';
  const glyph = isYes ? paint.done(glyphs.done) : paint.ink3(glyphs.stopped);
  const isOwn = state.type === 'answered' && isViewer(look.self, state.by.name);
  // "Withdrawn: the turn was stopped" keeps its first word: the ending below says the rest.
  const end = isOwn ? answeredText(state.answer) : (questionEndText(state) ?? '').replace(/: .*/, '');
  const facts = look.turns?.calls.get(id)?.facts;
  const heading = oneLine(effectHeading({ about, ...optional({ facts }) }));
  return wrapped(
    `${end}: ${paint.ink2(about.type === 'approval' ? uncapital(heading) : heading)}`,
    innerWidth(look),
    `${glyph} `,
    '  ',
  );
}

function costPart(id: string, { turns, glyphs }: Look): string {
  const cost = turns?.costs.get(id);
  return cost === undefined ? '' : ` ${glyphs.dot} ${costText({ cost, costIsKnown: true })}`;
}

/** The user stopped it here, and knows. */
function isOwnStop({ reason }: { readonly reason?: string }): boolean {
  return reason === undefined || reason === stoppedHere;
}

function endingLines({ id, ending, durationMs }: EndingItem, look: Look): readonly string[] {
  const { paint, glyphs } = look;
  const took = durationMs === undefined ? '' : ` ${glyphs.dot} ${durationText(durationMs)}`;
  switch (ending.type) {
    case 'completed':
      return [`${paint.done(glyphs.done)} ${paint.ink2(`Finished${took}${costPart(id, look)}`)}`];
    case 'cancelled': {
      const head = isOwnStop(ending) ? 'Stopped' : endingText(ending);
      const words = [head, ...(look.turns?.stopped.get(id) ?? [])].join(` ${glyphs.dot} `);
      return wrapped(paint.ink2(`${words}${took}`), innerWidth(look), `${paint.ink3(glyphs.stopped)} `, '  ');
    }
    case 'failed':
    case 'timed-out': {
      const code = ending.type === 'failed' ? ending.code : undefined;
      const { heading, text } = failureWords({ code, message: ending.message });
      const words = text === '' ? heading : `${heading}: ${paint.ink2(printable(text))}`;
      return wrapped(`${words}${paint.ink2(took)}`, innerWidth(look), `${paint.fail(glyphs.failed)} `, '  ');
    }
  }
}

function workerLines({ worker, state, text }: WorkerItem, look: Look): readonly string[] {
  // The panel of workers shows progress.
  if (state === 'progressed') return [];
  const { paint } = look;
  const { glyph, word } =
    state === 'spawned' ? { glyph: paint.ink3(look.glyphs.idle), word: 'started' } : workerState(state, look);
  const head = `${glyph} ${paint.strong(look.workerName(worker))} ${paint.ink2(word)}`;
  if (text === undefined) return [head];
  const lines = wrapped(printable(look.textOf(text)).trim(), Math.min(look.width, proseWidth) - 2, '    ');
  const shown = look.isOpen(`worker ${worker}`) ? lines : lines.slice(0, 4);
  return [
    head,
    ...shown.map((line) => paint.ink2(line)),
    ...(lines.length > shown.length ? [paint.ink3(`    ${look.glyphs.more}`)] : []),
  ];
}

/** A worker's state as a shape and a word. */
export function workerState(
  state: WorkerItem['state'],
  look: Pick<Look, 'paint' | 'glyphs' | 'now' | 'lastSeen'>,
): { readonly glyph: string; readonly word: string } {
  const { paint, glyphs } = look;
  switch (state) {
    case 'spawned':
    case 'progressed':
      return { glyph: workingGlyph(look), word: 'working' };
    case 'completed':
      return { glyph: paint.done(glyphs.done), word: 'finished' };
    case 'failed':
      return { glyph: paint.fail(glyphs.failed), word: 'failed' };
    case 'stalled':
      return { glyph: paint.warn(glyphs.unknown), word: 'stalled' };
    case 'cancelled':
      return { glyph: paint.ink3(glyphs.stopped), word: 'stopped' };
  }
}

function agentCallLines({ id, title, call, state, content }: AgentCallItem, look: Look): readonly string[] {
  const { paint, glyphs } = look;
  const mark =
    state === 'completed'
      ? paint.done(glyphs.done)
      : state === 'failed'
        ? paint.fail(glyphs.failed)
        : state === 'unknown'
          ? paint.warn(glyphs.unknown)
          : workingGlyph(look);
  const most = look.isOpen(id) ? 200 : state === 'completed' ? 0 : 3;
  const lines = content === undefined ? [] : printable(previewOf(content)).trimEnd().split('\n').slice(0, most);
  return [
    ...wrapped(oneLine(title ?? call), innerWidth(look), `${mark} `, '  '),
    ...lines.flatMap((line) => wrapped(paint.ink2(line), innerWidth(look), '    ')),
  ];
}

export function planLines({ entries }: Pick<AgentPlanItem, 'entries'>, look: Look): readonly string[] {
  const { paint, glyphs } = look;
  return entries.flatMap(({ text, state }) => {
    const isDone = state === 'completed';
    const isNow = state === 'in_progress' || state === 'in-progress';
    const mark = isDone ? paint.done(glyphs.done) : isNow ? workingGlyph(look) : paint.ink3(glyphs.idle);
    const words = printable(text);
    return wrapped(
      isNow ? paint.strong(words) : isDone ? paint.ink3(words) : words,
      innerWidth(look),
      `${mark} `,
      '  ',
    );
  });
}

function quiet(text: string, look: Look): readonly string[] {
  return wrapped(printable(text), innerWidth(look), '  ').map(look.paint.ink3);
}

function isCut(body: Body, shown: string): boolean {
  return typeof body !== 'string' && shown.length < body.length;
}
