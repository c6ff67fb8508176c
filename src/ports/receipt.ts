import type { Refusal } from '../kernel/decide/draft.ts';

/** The sender's answer once its input is durable or refused. */
export type Receipt =
  /**
   * `seq` is the first event that the input caused. Repeating a key returns the same answer. `waits`: the input is
   * stored, but no running node can take it: what it waits for. Then `seq` is the first event that it may cause.
   */
  | { readonly type: 'accepted'; readonly seq: number; readonly waits?: string }
  | { readonly type: 'refused'; readonly refusal: Refusal };
