import type { Body } from '../kernel/content.ts';
import type { Ending } from '../kernel/outcome.ts';
import type { Receipt } from '../ports/receipt.ts';
import type { OpenQuestion } from '../views/open-question.ts';

export type { Receipt } from '../ports/receipt.ts';

export interface WaitOptions {
  /** `return` if the turn can't continue without a person, or `wait` for the person. */
  readonly whenAsked: 'return' | 'wait';
}

/** The result of a prompt's turn. */
export type TurnResult = {
  /** The sequence of its start. 0 if it was watched only from the middle. */
  readonly turn: number;
  readonly texts: readonly Body[];
  /** True if a call was refused, or may have been refused to one of its workers. The journals have the details. */
  readonly hasRefusals: boolean;
} & (
  | { readonly type: 'ended'; readonly ending: Ending }
  /** The turn waits for an answer. It isn't over: its end can be awaited again. */
  | { readonly type: 'needs-input'; readonly questions: readonly OpenQuestion[] }
);

export type PromptReceipt =
  | Extract<Receipt, { type: 'refused' }>
  /** `turn` is absent if the key was used before: that prompt's turn may be long over. */
  | {
      readonly type: 'accepted';
      readonly seq: number;
      readonly waits?: string;
      readonly turn?: Promise<TurnResult>;
    };
