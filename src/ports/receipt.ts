import type { Refusal } from '../kernel/decide/draft.ts';

/** What a sender is told once its input is durable, or was turned down. */
export type Receipt =
  /** `seq` is the first event that the input caused; the same key again gives the same answer. */
  { readonly type: 'accepted'; readonly seq: number } | { readonly type: 'refused'; readonly refusal: Refusal };
