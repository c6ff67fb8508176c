import type { Body } from '../kernel/content.ts';
import type { Refusal } from '../kernel/draft.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { OpenQuestion } from '../views/open-question.ts';

/** What a sender is told once its input is durable, or was turned down. */
export type Receipt =
  /** `seq` is the first event that the input caused; the same key again gives the same answer. */
  { readonly type: 'accepted'; readonly seq: number } | { readonly type: 'refused'; readonly refusal: Refusal };

/** How the turn that served a prompt went. */
export type TurnResult =
  | { readonly type: 'ended'; readonly turn: number; readonly ending: Ending; readonly said: readonly Body[] }
  /** The turn stands still until somebody answers. It is not over: its end can be awaited again. */
  | { readonly type: 'needs-input'; readonly questions: readonly OpenQuestion[]; readonly said: readonly Body[] };

export type PromptReceipt =
  | Extract<Receipt, { type: 'refused' }>
  /** `turn` is missing where the key was used before: that prompt's turn may be long over. */
  | { readonly type: 'accepted'; readonly seq: number; readonly turn?: Promise<TurnResult> };
