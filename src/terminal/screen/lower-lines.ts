/** Everything below the conversation: panel, card, working line, queue, title rule, prompt, rule, footer, keys. */
import { printable } from '../../views/printable.ts';
import { visibleWidth } from '@earendil-works/pi-tui';

import { itemAt } from '../../views/persistent-list.ts';
import type { Item } from '../../views/transcript-item.ts';
import type { Chat } from '../chat/chat.ts';
import { menuParts } from '../chat/menu-text.ts';
import { cut, spread } from '../lines/fit.ts';
import { planLines } from '../lines/item-lines.ts';
import type { Look } from '../lines/look.ts';
import { oneLine } from '../../views/one-line.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import { isolated } from '../../wording/isolates.ts';
import { safeLines } from '../lines/safe-lines.ts';
import { queueLines, unsentLines } from '../lines/queue-lines.ts';
import { workerPanel } from '../lines/worker-lines.ts';
import { footerLines, type FooterFacts } from './footer.ts';
import { keyHints, type KeyState } from './key-hints.ts';
import type { PromptLines } from './prompt-editor.ts';
import type { LowerLines } from './screen-parts.ts';
import { titleRule } from './title-rule.ts';
import { workingLine } from './working-line.ts';

export interface LowerFacts {
  readonly chat: Chat | undefined;
  readonly editor: PromptLines;
  readonly draft: string;
  /** Undefined without vim keys. */
  readonly vimMode: 'insert' | 'normal' | undefined;
  /** The queued prompt that the user chose. */
  readonly selectedPrompt: number | undefined;
  /** The card, picker or help, with its bar, in at most so many rows. */
  readonly card: (room: number) => readonly string[];
  readonly hasCardFocus: boolean;
  readonly isPanelOpen: boolean;
  readonly footer: FooterFacts | undefined;
  readonly keys: KeyState;
  /** A passing message in place of the keys. */
  readonly hint: string;
  /** Sessions elsewhere that need the user. */
  readonly waiting: number;
  readonly linesBelow: number;
  readonly rows: number;
}

/** Under this height there are no hints, and panel and queue take one line each. */
const tallFrom = 20;
/** Under this height there are no blank lines between the parts, and line mode is offered below `lineFrom`. */
const looseFrom = 16;
/** Narrower screens have no hints: the footer takes their row. */
const hintsFrom = 50;
const leastCard = 5;
const lineFrom = 12;

export function lowerLines(facts: LowerFacts, look: Look): LowerLines {
  const { chat, card, rows } = facts;
  const view = chat?.view;
  const isTall = rows >= tallFrom;
  const gap = rows < looseFrom ? [] : [''];
  const apart = (lines: readonly string[]) => (lines.length === 0 ? [] : [...gap, ...lines]);
  const { before, after } = partsAround(facts, look);
  const prompt = promptLines(facts, look);
  const below = safeLines([
    look.paint.rule(look.glyphs.rule.repeat(look.width)),
    ...(facts.footer === undefined ? [''] : footerLines(facts.footer, look)),
    ...(isTall && (look.width >= hintsFrom || facts.hint !== '')
      ? [facts.hint === '' ? keyHints(facts.keys, look) : `  ${look.paint.ink2(facts.hint)}`]
      : []),
  ]).map(isolated);
  const [panel, rest] = [apart(before), after.flatMap(apart)];
  // One row of the conversation stays, and the title rule.
  const taken = panel.length + rest.length + 2 * gap.length + 2 + prompt.length + below.length;
  const shown = [...panel, ...apart(card(Math.max(leastCard, rows - taken))), ...rest];
  const title = {
    title: printable(view?.status?.title ?? 'New session'),
    label: labelFor(chat),
    vimMode: facts.vimMode,
    waiting: facts.waiting,
    below: facts.linesBelow,
  };
  return {
    above: safeLines([...shown.map((line) => cut(line, look.width)), ...gap, titleRule(title, look)]).map(
      isolated,
    ),
    prompt,
    below,
  };
}

/** The lines above and below the card. */
function partsAround(
  { chat, editor, rows, isPanelOpen, selectedPrompt }: LowerFacts,
  look: Look,
): { readonly before: readonly string[]; readonly after: readonly (readonly string[])[] } {
  const status = chat?.view.status;
  if (chat === undefined || status === undefined) return { before: [], after: [] };
  const isTall = rows >= tallFrom;
  const queue = queueLines(status, { editing: editingIn(chat), selected: selectedPrompt }, look);
  return {
    before: isPanelOpen ? folded(panelLines(chat, isTall, look), isTall, look) : [],
    after: [
      workingLines(chat, look),
      [...folded(queue, isTall, look), ...(chat.isLost ? unsentLines(chat.unsent, look) : [])],
      menuLines(editor, look),
    ],
  };
}

function folded(lines: readonly string[], isTall: boolean, { paint }: Look): readonly string[] {
  const [first, ...rest] = lines;
  if (isTall || first === undefined || rest.length === 0) return lines;
  return [`${first}  ${paint.ink3(`+${rest.length} more`)}`];
}

function workingLines(chat: Chat, look: Look): readonly string[] {
  const { status, transcript, streams } = chat.view;
  if (status === undefined) return [];
  const note = transcript.writing === undefined ? '' : (streams.get(transcript.writing.effect)?.status ?? '');
  const line = workingLine(status, note, look);
  return line === undefined ? [] : [line];
}

/** The workers, or the plan of an external agent while it works. */
function panelLines({ view }: Chat, isTall: boolean, look: Look): readonly string[] {
  // A worker's report names only the kind of its question.
  const asked = new Map(view.questionsBelow.map((question) => [question.id, oneLine(effectHeading(question))]));
  const rows = view.workers.map((row) => ({
    ...row,
    text: (row.question === undefined ? undefined : asked.get(row.question)) ?? row.text,
  }));
  const workers = workerPanel(rows, look, { isTall });
  const { plan } = view.transcript.current;
  if (workers.length > 0 || plan === undefined || view.status?.turn === undefined) return workers;
  const item: Item | undefined = itemAt(view.transcript.items, plan);
  if (item?.type !== 'agent-plan') return [];
  const done = item.entries.filter(({ state }) => state === 'completed').length;
  const by = item.agent === undefined ? '' : ` ${look.glyphs.dot} by ${item.agent}`;
  const head = `  ${look.paint.strong('Plan')}  ${done} of ${item.entries.length}${by}`;
  return [head, ...planLines(item, look).slice(0, 8)];
}

function menuLines({ menu }: PromptLines, { paint, glyphs, width }: Look): readonly string[] {
  return menu.map((line) => {
    // The editor's own indentation isn't needed beside the bar.
    const { left, note } = menuParts(line.replace(/^ {2}/, '').trimEnd());
    return `${paint.work(glyphs.bar)} ${note === '' ? left : spread(left, note, width - 4)}`;
  });
}

function promptLines({ editor, draft, hasCardFocus, chat }: LowerFacts, look: Look): readonly string[] {
  const { paint, prompt, width } = look;
  const isShell = draft.startsWith('!');
  const glyph = isShell ? paint.warn('!') : paint.user(prompt);
  const gap = ' '.repeat(Math.max(1, 2 - visibleWidth(prompt)));
  if (hasCardFocus && draft === '') return [`${glyph}${gap}${paint.ink3('Press Tab to type')}`];
  const [first = '', ...rest] = editor.text;
  const text = isShell ? first.replace('!', '') : first;
  const shown = draft === '' ? hinted(text.slice(2), placeholder(chat, width), look) : text.slice(2).trimEnd();
  return [cut(`${glyph}${gap}${shown}`, width), ...rest.map((line) => line.trimEnd())];
}

/** The editor draws its cursor on a blank. Here it stands on the placeholder's first letter. */
function hinted(text: string, hint: string, { paint }: Look): string {
  const [first = ''] = hint;
  if (!text.includes(cursorOnBlank)) return `${text.trimEnd()}${paint.ink3(hint)}`;
  const cursor = text.trimEnd().replace(cursorOnBlank, cursorOnBlank.replace(' ', first));
  return `${cursor}${paint.ink3(hint.slice(first.length))}`;
}

const steeringFrom = 72;
const cursorOnBlank = '\u001B[7m \u001B[0m';

function placeholder(chat: Chat | undefined, width: number): string {
  if (chat === undefined) return '';
  switch (chat.entry.type) {
    case 'reason':
      return 'Why not?';
    case 'answer':
      return 'Type an answer';
    case 'queued':
      return 'Empty removes it';
    case 'prompt':
      if (!chat.isWorking) return 'Ask, or describe a change';
      return width < steeringFrom ? 'Queue a follow-up, or steer' : 'Queue a follow-up, or steer the current turn';
  }
}

function editingIn({ entry }: Chat): number | undefined {
  return entry.type === 'queued' ? entry.prompt : undefined;
}

function labelFor(chat: Chat | undefined): string {
  switch (chat?.entry.type) {
    case 'reason':
      return 'Deny with a reason  Enter send  Esc back';
    case 'answer':
      return 'Your answer  Enter send  Esc back';
    case 'queued':
      return 'Queued prompt  Enter save  Esc back';
    case 'prompt':
    case undefined:
      return '';
  }
}

/** A low screen gives the card everything but the prompt with its frame and the footer. */
export function cardHeight(rows: number): number {
  return rows < tallFrom ? Math.max(5, rows - 6) : Math.floor(rows * 0.6);
}

/** Undefined if the screen is high enough. */
export function lineModeOffer(rows: number): string | undefined {
  if (rows >= lineFrom) return undefined;
  return `This terminal has ${rows} rows. Start with --line to print lines instead of a screen.`;
}
