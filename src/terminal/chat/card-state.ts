/**
 * The keys of a card. Pure: the caller keeps the state.
 *
 * 1. Esc never reaches this: it folds the card and never answers.
 * 2. What can't be undone has no selected row, and a yes needs a second press within three seconds. Where a held key
 *    can't be told from a second press, it counts only once a held key would have shown itself.
 * 3. A yes counts only after every part was on the screen.
 * 4. A letter that isn't a choice begins a prompt, so that the letters after it answer nothing.
 */
import type { CardAct, CardChoice } from '../../wording/card-choices.ts';

export interface CardState {
  readonly question: string;
  /** The key of the selected choice: the choices around it may change. */
  readonly selected: string | undefined;
  /** The first of two presses. The second counts from `at` on. */
  readonly armed?: { readonly key: string; readonly at: number } | undefined;
  /** The first line of the body on the screen. Undefined: wherever the most dangerous part is in view. */
  readonly scroll: number | undefined;
  /** The lines of the body that were on the screen. */
  readonly seen: ReadonlySet<number>;
  readonly isSideBySide: boolean | undefined;
  /** Which of several changed files is shown. */
  readonly file: number;
}

export interface CardFacts {
  /** Those on the screen. */
  readonly choices: readonly CardChoice[];
  /** Since when they stand there. A digit that was meant for an older list chooses nothing. */
  readonly choicesSince: number;
  readonly isDangerous: boolean;
  /** Lines of the body that must be seen before a yes. */
  readonly mustSee: number;
  /** The lines of the body on the screen now. */
  readonly shown: { readonly from: number; readonly to: number };
  /** The number of files that it changes. */
  readonly files: number;
  /** Whether the diff is drawn side by side. */
  readonly isSideBySide: boolean;
  /** Whether the user may change what applies. */
  readonly canEdit: boolean;
  /** How long after the first press the key may still be held down. */
  readonly holdMs: number;
  readonly now: number;
}

export type CardKey =
  | { readonly type: 'up' | 'down' | 'enter' | 'page-up' | 'page-down' | 'next-file' | 'previous-file' }
  | { readonly type: 'letter'; readonly letter: string };

interface CardStep {
  readonly state: CardState;
  readonly act?: CardAct | { readonly type: 'edit' };
  /** The letter isn't a choice: the person is typing a prompt. */
  readonly isText?: true;
}

export const confirmMs = 3000;
/** An earlier keypress was meant for what was on screen before. */
export const readMs = 300;

export function newCardState(
  question: string,
  { isDangerous, choices }: Pick<CardFacts, 'isDangerous' | 'choices'>,
): CardState {
  return {
    question,
    selected: isDangerous ? undefined : choices[0]?.key,
    scroll: undefined,
    seen: new Set(),
    isSideBySide: undefined,
    file: 0,
  };
}

/** Records what one frame showed. */
export function afterFrame(state: CardState, { from, to }: CardFacts['shown']): CardState {
  const seen = new Set(state.seen);
  for (let line = from; line < to; line += 1) seen.add(line);
  const isSame = seen.size === state.seen.size && (state.scroll === undefined || state.scroll === from);
  return isSame ? state : { ...state, seen, ...(state.scroll !== undefined && { scroll: from }) };
}

export function cardKey(state: CardState, key: CardKey, facts: CardFacts): CardStep {
  const { choices } = facts;
  const at = choices.findIndex((choice) => choice.key === state.selected);
  switch (key.type) {
    case 'up':
      return { state: { ...state, selected: choices[at < 0 ? choices.length - 1 : Math.max(0, at - 1)]?.key } };
    case 'down':
      return { state: { ...state, selected: choices[Math.min(choices.length - 1, at + 1)]?.key } };
    case 'page-up':
      return { state: { ...state, scroll: Math.max(0, facts.shown.from - pageOf(facts)) } };
    case 'page-down':
      return { state: { ...state, scroll: facts.shown.from + pageOf(facts) } };
    case 'next-file':
      return { state: { ...state, file: Math.min(facts.files - 1, state.file + 1), scroll: 0 } };
    case 'previous-file':
      return { state: { ...state, file: Math.max(0, state.file - 1), scroll: 0 } };
    case 'enter': {
      const choice = choices[at];
      return choice === undefined ? { state } : chosen(state, choice, facts);
    }
    case 'letter': {
      const letter = key.letter.toLowerCase();
      const byKey = choices.find(({ key: own }) => own === letter);
      const isNew = facts.now - facts.choicesSince < readMs;
      const byOrder = /^[1-9]$/.test(letter) && !isNew ? choices[Number(letter) - 1] : undefined;
      const choice = byKey ?? byOrder;
      if (choice !== undefined) return chosen(state, choice, facts);
      if (letter === 'e' && facts.canEdit) return { state, act: { type: 'edit' } };
      if (letter === 'v' && facts.files > 0) return { state: { ...state, isSideBySide: !facts.isSideBySide } };
      return /\d/.test(letter) ? { state } : { state, isText: true };
    }
  }
}

/** One line stays, so that the reader keeps their place. */
function pageOf({ shown }: CardFacts): number {
  return Math.max(1, shown.to - shown.from - 1);
}

/** The next page that holds something unseen. Undefined once everything was on the screen. */
function nextUnseen({ seen }: CardState, { mustSee, shown }: CardFacts): number | undefined {
  const below = Array.from({ length: mustSee }, (_, line) => line).filter((line) => !seen.has(line));
  const next = below.find((line) => line >= shown.to) ?? below[0];
  return next === undefined
    ? undefined
    : Math.max(0, next >= shown.to ? next : next - (shown.to - shown.from) + 1);
}

function chosen(state: CardState, choice: CardChoice, facts: CardFacts): CardStep {
  const { isDangerous, holdMs, now } = facts;
  const { does, key } = choice;
  const isYes = does.type === 'answer-alike' || (does.type === 'answer' && does.answer.type.startsWith('allow'));
  if (!isYes) return { state, act: does };
  const unseen = nextUnseen(state, facts);
  if (unseen !== undefined) return { state: { ...state, scroll: unseen } };
  if (!isDangerous) return { state, act: does };
  const since = state.armed?.key === key ? now - state.armed.at : Infinity;
  if (since < 0) return { state };
  if (since <= confirmMs) return { state, act: does };
  return { state: { ...state, selected: key, armed: { key, at: now + holdMs } } };
}
