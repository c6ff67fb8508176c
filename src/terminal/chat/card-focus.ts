import { readMs } from './card-state.ts';

/**
 * Whether keys go to the card or to the prompt. An arriving question never takes keystrokes: the card gets them once
 * the prompt is empty and no key was pressed for a while, and ignores those pressed before it can be read.
 */
const quietMs = 700;

export interface CardFocus {
  /** `card`: keys answer. `soon`: it has just got them. `prompt`: it is open, keys go to the prompt. */
  readonly place: 'card' | 'soon' | 'prompt' | 'folded';
  /** Call it for each key, before it is handled. */
  pressed(): void;
  /** Call it on every refresh: a question may have come, gone, or waited long enough. */
  look(): void;
  /** Tab: to the card, or back to the prompt. */
  toggle(): void;
  toPrompt(): void;
  /** Esc: shows only the heading. The agent keeps waiting. */
  fold(): void;
}

interface CardFocusOptions {
  /** The id of the open question. */
  readonly question: () => string | undefined;
  /** True if the draft is empty and a typed line would be a prompt. */
  readonly isFree: () => boolean;
  readonly now: () => number;
}

export function createCardFocus({ question, isFree, now }: CardFocusOptions): CardFocus {
  const folded = new Set<string>();
  let lastKey = Number.NEGATIVE_INFINITY;
  let at: { readonly id: string; readonly since: number } | undefined;
  /** The user went back to the prompt, so the card doesn't take the keys again by itself. */
  let left: string | undefined;

  function focus(id: string): void {
    folded.delete(id);
    left = undefined;
    at = { id, since: now() };
  }

  return {
    get place() {
      const id = question();
      if (id === undefined) return 'prompt';
      if (folded.has(id)) return 'folded';
      if (at?.id !== id) return 'prompt';
      return now() - at.since < readMs ? 'soon' : 'card';
    },
    pressed() {
      lastKey = now();
    },
    look() {
      const id = question();
      if (at !== undefined && at.id !== id) at = undefined;
      if (id === undefined || at !== undefined || folded.has(id) || left === id) return;
      if (isFree() && now() - lastKey >= quietMs) focus(id);
    },
    toggle() {
      const id = question();
      if (id === undefined) return;
      if (at?.id === id) this.toPrompt();
      else focus(id);
    },
    toPrompt() {
      at = undefined;
      left = question();
    },
    fold() {
      const id = question();
      if (id !== undefined) folded.add(id);
      at = undefined;
    },
  };
}
