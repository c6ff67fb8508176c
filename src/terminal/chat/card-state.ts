/**
 * The keys of a card. Pure: the caller keeps the state.
 *
 * 1. Esc never reaches this: it folds the card and never answers.
 * 2. What can't be undone has no selected row, and a yes needs a second press within three seconds.
 * 3. A yes counts only after every part was on the screen.
 * 4. A letter that isn't a choice begins a prompt, so that the letters after it answer nothing.
 */
import type { CardAct, CardChoice } from '../../wording/card-choices.ts';

export interface CardState {
  readonly question: string;
  readonly selected: number | undefined;
  /** The first of two presses. */
  readonly armed?: { readonly key: string; readonly at: number } | undefined;
  readonly scroll: number;
  /** Lines of the body that were on the screen. */
  readonly seen: number;
  readonly isSideBySide: boolean | undefined;
}

export interface CardFacts {
  readonly choices: readonly CardChoice[];
  readonly isDangerous: boolean;
  /** Lines of the body that must be seen before a yes. */
  readonly mustSee: number;
  readonly now: number;
}

export type CardKey =
  | { readonly type: 'up' | 'down' | 'enter' | 'page-up' | 'page-down' | 'side-by-side' }
  | { readonly type: 'letter'; readonly letter: string };

export interface CardStep {
  readonly state: CardState;
  readonly act?: CardAct;
  /** The letter is no choice: the person is typing a prompt. */
  readonly isText?: true;
}

export const confirmMs = 3000;

export function newCardState(question: string, { isDangerous }: Pick<CardFacts, 'isDangerous'>): CardState {
  return { question, selected: isDangerous ? undefined : 0, scroll: 0, seen: 0, isSideBySide: undefined };
}

export function cardKey(state: CardState, key: CardKey, facts: CardFacts): CardStep {
  const last = facts.choices.length - 1;
  switch (key.type) {
    case 'up':
      return {
        state: { ...state, selected: state.selected === undefined ? last : Math.max(0, state.selected - 1) },
      };
    case 'down':
      return {
        state: { ...state, selected: state.selected === undefined ? 0 : Math.min(last, state.selected + 1) },
      };
    case 'page-up':
      return { state: { ...state, scroll: Math.max(0, state.scroll - pageLines) } };
    case 'page-down':
      return { state: { ...state, scroll: state.scroll + pageLines } };
    case 'side-by-side':
      return { state: { ...state, isSideBySide: !(state.isSideBySide ?? false) } };
    case 'enter': {
      const choice = state.selected === undefined ? undefined : facts.choices[state.selected];
      return choice === undefined ? { state } : chosen(state, choice, facts);
    }
    case 'letter': {
      const letter = key.letter.toLowerCase();
      const byKey = facts.choices.find(({ key: own }) => own === letter);
      const byOrder = /^[1-9]$/.test(letter) ? facts.choices[Number(letter) - 1] : undefined;
      const choice = byKey ?? byOrder;
      if (choice !== undefined) return chosen(state, choice, facts);
      return /\d/.test(letter) ? { state } : { state, isText: true };
    }
  }
}

const pageLines = 8;

function chosen(
  state: CardState,
  choice: CardChoice,
  { isDangerous, mustSee, now, choices }: CardFacts,
): CardStep {
  const { does, key } = choice;
  const isYes = does.type === 'answer' && does.answer.type.startsWith('allow');
  if (!isYes) return { state, act: does };
  if (state.seen < mustSee) return { state: { ...state, scroll: state.scroll + pageLines } };
  if (!isDangerous) return { state, act: does };
  const isSecond = state.armed?.key === key && now - state.armed.at <= confirmMs;
  if (isSecond) return { state, act: does };
  return { state: { ...state, selected: choices.indexOf(choice), armed: { key, at: now } } };
}
