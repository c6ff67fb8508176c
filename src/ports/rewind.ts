import type { Actor } from '../kernel/actor.ts';
import type { ChangedFiles } from '../kernel/checkpoint.ts';
import type { Refusal } from '../kernel/decide/draft.ts';

/** How far back, and whether the files go back too. */
export interface RewindOptions {
  /** An event: what follows the last rest at or before it is passed over. `undo`: back from the newest rewind. */
  readonly to: number | 'undo';
  /** Default: both. */
  readonly axes?: 'both' | 'conversation' | 'files';
  readonly by?: Actor;
  readonly key?: string;
}

/** What was taken back, or why it was not. */
export type RewindResult =
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | {
      readonly type: 'rewound';
      /** Where the conversation goes on from; absent where it stayed. */
      readonly conversation?: number;
      readonly files: RewoundFiles;
    };

export type RewoundFiles =
  | { readonly type: 'left' }
  /** Nothing changed them since. */
  | { readonly type: 'unchanged' }
  /** The same wish, told by its key, brought them back before. */
  | { readonly type: 'restored-before' }
  | ({ readonly type: 'restored' } & ChangedFiles);
