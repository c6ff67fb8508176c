import type { Recorded } from '../kernel/event.ts';
import type { EffectId } from '../kernel/ids.ts';
import type { Status } from '../views/status.ts';
import type { TranscriptPage } from '../views/transcript-page.ts';

/** What a follower gets. Events have a sequence and come without gap or repeat; progress has an offset. */
export type Update =
  | { readonly type: 'snapshot'; readonly seq: number; readonly view: SnapshotView }
  /** `json` is the event's text as it stands in the journal: made once, sent to everybody. */
  | { readonly type: 'event'; readonly recorded: Recorded; readonly json: string }
  | Progress
  /** Events `from`…`to` were passed over because the reader fell behind; a snapshot follows. */
  | { readonly type: 'gap'; readonly from: number; readonly to: number };

/** A piece of text being streamed. A new attempt starts again at offset 0. */
export interface Progress {
  readonly type: 'progress';
  readonly effect: EffectId;
  readonly attempt: number;
  readonly kind: 'text' | 'reasoning' | 'output' | 'status';
  readonly offset: number;
  readonly text: string;
}

/** A session as it stands: its status, the last page of its transcript, the text being streamed. */
export interface SnapshotView {
  readonly status: Status;
  readonly transcript: TranscriptPage;
  readonly streaming: readonly StreamingText[];
}

export interface StreamingText {
  readonly effect: EffectId;
  readonly attempt: number;
  readonly text: string;
  readonly reasoning: string;
  readonly output: string;
}
