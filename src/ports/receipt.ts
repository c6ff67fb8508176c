import type { Refusal } from '../kernel/decide/draft.ts';

/** The sender's answer once its input is durable or refused. */
export type Receipt =
  /** `seq` is the first event that the input caused. Repeating a key returns the same answer. */
  { readonly type: 'accepted'; readonly seq: number } | { readonly type: 'refused'; readonly refusal: Refusal };
