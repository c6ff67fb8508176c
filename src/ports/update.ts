import type { Recorded } from '../kernel/event.ts';
import type { EffectId } from '../kernel/ids.ts';
import type { Status } from '../views/status.ts';
import type { TranscriptPage } from '../views/transcript-page.ts';

/** A follower's update. Events have a sequence and arrive without gaps or repeats. Progress has an offset. */
export type Update =
  | { readonly type: 'snapshot'; readonly seq: number; readonly view: SnapshotView }
  /** `json` is the event's text as in the journal: serialized once, sent to every follower. */
  | { readonly type: 'event'; readonly recorded: Recorded; readonly json: string }
  | Progress
  /** Events `from`…`to` were skipped because the reader fell behind. A snapshot follows. */
  | { readonly type: 'gap'; readonly from: number; readonly to: number };

/** A piece of streamed text. A new attempt restarts at offset 0. */
export interface Progress {
  readonly type: 'progress';
  readonly effect: EffectId;
  readonly attempt: number;
  readonly kind: 'text' | 'reasoning' | 'output' | 'status';
  readonly offset: number;
  readonly text: string;
}

/** A session's current state: its status, the last page of its transcript, the streamed text. */
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
