import type { Actor } from '../kernel/actor.ts';
import type { ChangedFiles } from '../kernel/checkpoint.ts';
import type { Refusal } from '../kernel/decide/draft.ts';

/** How far to rewind, and on which axes. */
export interface RewindOptions {
  /** An event: rewinds to where the session was last idle, at or before it. `undo`: reverts the newest rewind. */
  readonly to: number | 'undo';
  /** Default: both. */
  readonly axes?: 'both' | 'conversation' | 'files';
  readonly by?: Actor;
  readonly key?: string;
}

/** What was rewound, or why nothing was. */
export type RewindResult =
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | {
      readonly type: 'rewound';
      /** The event that the conversation continues from. Absent if it didn't move. */
      readonly conversation?: number;
      readonly files: RewoundFiles;
    };

export type RewoundFiles =
  | { readonly type: 'left' }
  /** The files haven't changed since. */
  | { readonly type: 'unchanged' }
  /** An earlier request with the same key already restored them. */
  | { readonly type: 'restored-before' }
  | ({ readonly type: 'restored' } & ChangedFiles);
