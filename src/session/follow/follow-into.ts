/**
 * Following a session: catch up, then every update handed over at the instant it happens. The reader is a
 * sink with a buffer of its own: a socket, of which there may be a thousand on one session, or the queue
 * behind `session.follow`.
 *
 * 1. Subscribes first, then catches up, then every later event once and in order, text being streamed included.
 * 2. A reader that says it is behind is told nothing more until it has caught up; then a gap and a snapshot.
 */
import type { Recorded } from '../../kernel/event.ts';
import type { Leaving } from './leaving.ts';
import { noteStream, streamSoFar, unseen } from './stream-position.ts';
import type { Progress, SnapshotView, StreamingText, Update } from '../update.ts';

export interface FollowSource {
  /** Sequence of the newest event. */
  head(): Promise<number>;
  read(after: number): Promise<readonly { readonly recorded: Recorded; readonly json: string }[]>;
  /** Calls `atInstant` at the very instant it is of, where it can tell. */
  snapshot(atInstant: () => void): Promise<{ readonly seq: number; readonly view: SnapshotView }>;
  /** Undefined where it cannot be told. */
  streaming(): readonly StreamingText[] | undefined;
}

/** From which sequence to follow; without one, from a snapshot at the head. */
export interface FollowOptions {
  /** Events after this sequence. Without it: a snapshot at the head, then what comes. */
  readonly after?: number;
  /** How far back `after` may lie before a snapshot serves better. */
  readonly window?: number;
}

export interface FollowSink {
  /** Takes an update at once; never throws. */
  tell(update: Update): void;
  /** Whether what it was told already is more than it can hold. */
  readonly isBehind: boolean;
  /** Resolves once it is no longer behind, or gone. */
  ready(): Promise<void>;
  /** `by-turns`: at the end of a turn of the loop, text in as few pieces as it can be. Default: at once. */
  readonly hears?: 'at-once' | 'by-turns';
}

export interface FollowingInto {
  readonly after: number | undefined;
  readonly window: number | undefined;
  readonly source: FollowSource;
  readonly sink: FollowSink;
  /** Calls `push` with every update from now on, and `end` when none will come any more from there. */
  readonly listen: (push: (update: Update) => void, end: () => void) => () => void;
  readonly leaving: Leaving;
  /** How much of each text the reader had from elsewhere; kept up to date, so that no text is told twice. */
  readonly seen?: Map<string, number>;
  /** Updates that may come in while the reader catches up. */
  readonly limit: number;
  /** Whether, after this event, the session may be found somewhere else. */
  readonly movesAt: ((update: Extract<Update, { type: 'event' }>) => boolean) | undefined;
}

/** The sequence of the last event told, when the source has ended or the reader has left. */
export async function followInto(following: FollowingInto): Promise<number | undefined> {
  const { source, sink, leaving, after, window = 10_000, limit } = following;
  const { seen = new Map<string, number>() } = following;
  const newest = createCursor();
  let last = after;
  let held: Update[] = [];
  let hasLagged = false;
  let isEnded = false;
  let isLive = false;
  let wake: (() => void) | undefined;

  const interrupt = () => {
    isLive = false;
    wake?.();
  };
  const end = () => {
    isEnded = true;
    interrupt();
  };
  const stop = following.listen((update) => {
    if (isLive) return take(update);
    if (hasLagged) return;
    if (held.length >= limit) {
      held = [];
      hasLagged = true;
    } else held.push(update);
  }, end);
  leaving.onLeft = end;
  if (leaving.hasLeft) end();

  /** Hands one update over; one that cannot be handed over in order ends the live part. */
  function take(update: Update): void {
    if (sink.isBehind) return lag();
    if (update.type === 'progress') {
      if (newest.goesOn(update)) return sink.tell(update);
      const fresh = unseen(newest.notedIn(seen), update);
      if (fresh === undefined) return;
      newest.saw(fresh, seen);
      sink.tell(fresh);
    } else if (update.type === 'event') {
      const { seq, event } = update.recorded;
      if (last === undefined || seq <= last) return;
      if (seq > last + 1) return lag();
      last = seq;
      if (event.type === 'turn-ended') {
        seen.clear();
        newest.forget();
      }
      sink.tell(update);
      if (following.movesAt?.(update) === true) end();
    } else sink.tell(update);
  }
  function lag(): void {
    hasLagged = true;
    held = [];
    interrupt();
  }

  async function catchUp(from: number): Promise<number> {
    let reached = from;
    for (;;) {
      if (sink.isBehind) await sink.ready();
      const page = isEnded ? [] : await source.read(reached);
      if (page.length === 0) return reached;
      for (const { recorded, json } of page) {
        sink.tell({ type: 'event', recorded, json });
        reached = recorded.seq;
      }
    }
  }

  try {
    if (last !== undefined) {
      const head = await source.head();
      if (head - last > window) {
        sink.tell({ type: 'gap', from: last + 1, to: head });
        last = undefined;
      }
    }
    while (!isEnded) {
      if (last === undefined) {
        const { seq, view } = await source.snapshot(() => {
          held = [];
          hasLagged = false;
        });
        sink.tell({ type: 'snapshot', seq, view });
        last = seq;
        for (const stream of view.streaming) noteStream(seen, stream);
      } else {
        last = await catchUp(last);
        const streaming = source.streaming();
        if (streaming !== undefined) held = held.filter(({ type }) => type !== 'progress');
        for (const stream of streaming ?? []) {
          for (const progress of streamSoFar(stream)) {
            const fresh = unseen(seen, progress);
            if (fresh !== undefined) sink.tell(fresh);
          }
        }
      }
      // From here to the last line of the live part nothing is awaited: no update is missed or doubled.
      const waiting = held;
      held = [];
      if (!hasLagged && !isEnded) {
        isLive = true;
        for (const update of waiting) if (isLive) take(update);
        if (isLive) await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
      }
      if (isEnded) break;
      await sink.ready();
      const to = await source.head();
      if (last !== undefined && to > last) sink.tell({ type: 'gap', from: last + 1, to });
      last = undefined;
      hasLagged = false;
      seen.clear();
      newest.forget();
    }
    return last;
  } finally {
    newest.notedIn(seen);
    stop();
    leaving.onLeft = undefined;
  }
}

/** Where the newest stream stands: nearly every piece of text goes on right there, and needs no look-up. */
function createCursor() {
  let at: { effect: string; attempt: number; kind: string; end: number } | undefined;
  return {
    /** Takes a piece that goes on right there. */
    goesOn({ effect, attempt, kind, offset, text }: Progress): boolean {
      if (at === undefined || at.end !== offset || at.kind !== kind || at.attempt !== attempt) return false;
      if (at.effect !== effect) return false;
      at.end = offset + text.length;
      return true;
    },
    saw({ effect, attempt, kind, offset, text }: Progress, seen: Map<string, number>) {
      if (kind === 'status') return;
      const end = offset + text.length;
      if (at !== undefined && at.effect === effect && at.attempt === attempt && at.kind === kind) at.end = end;
      else {
        if (at !== undefined) seen.set(`${at.effect}/${at.attempt}/${at.kind}`, at.end);
        at = { effect, attempt, kind, end };
      }
    },
    /** A piece that does not go on there is judged by all that was had, this stream's newest included. */
    notedIn(seen: Map<string, number>) {
      if (at !== undefined) seen.set(`${at.effect}/${at.attempt}/${at.kind}`, at.end);
      return seen;
    },
    forget: () => (at = undefined),
  };
}
