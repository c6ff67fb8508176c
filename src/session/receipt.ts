import type { Body } from '../kernel/content.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { Receipt } from '../ports/receipt.ts';
import type { OpenQuestion } from '../views/open-question.ts';

export type { Receipt } from '../ports/receipt.ts';

export interface WaitOptions {
  /** `return` when the turn cannot go on without a person; `wait` for the person. */
  readonly whenAsked: 'return' | 'wait';
}

/** How the turn that served a prompt went. */
export type TurnResult = {
  /** The sequence of its start; 0 where it was watched from its middle on. */
  readonly turn: number;
  readonly said: readonly Body[];
  /** A call of it was refused, or may have been to a worker of it; the journals say which. */
  readonly hasRefusals: boolean;
} & (
  | { readonly type: 'ended'; readonly ending: Ending }
  /** The turn stands still until somebody answers. It is not over: its end can be awaited again. */
  | { readonly type: 'needs-input'; readonly questions: readonly OpenQuestion[] }
);

export type PromptReceipt =
  | Extract<Receipt, { type: 'refused' }>
  /** `turn` is missing where the key was used before: that prompt's turn may be long over. */
  | { readonly type: 'accepted'; readonly seq: number; readonly turn?: Promise<TurnResult> };
