/**
 * Follows a session: catches up, then delivers every update immediately. The reader is a sink with its own buffer:
 * a socket (a session may have a thousand), or the queue behind `session.follow`.
 *
 * 1. It subscribes first, then catches up, then delivers every later event once and in order, including streamed
 *    text.
 * 2. A reader that reports it is behind receives nothing until it catches up, then a gap and a snapshot.
 */
import type { Actor } from '../../kernel/actor.ts';
import type { Recorded } from '../../kernel/event.ts';
import { seqOfEffect } from '../../kernel/ids.ts';
import type { Leaving } from './leaving.ts';
import { forgetBefore, noteStream, streamSoFar, unseen } from './stream-position.ts';
import type { Progress, SnapshotView, StreamingText, Update } from '../update.ts';

export interface FollowSource {
  /** Sequence of the newest event. */
  head(): Promise<number>;
  read(after: number): Promise<readonly { readonly recorded: Recorded; readonly json: string }[]>;
  /** Calls `atInstant` at the exact moment the snapshot describes, if that moment is known. */
  snapshot(atInstant: () => void): Promise<{ readonly seq: number; readonly view: SnapshotView }>;
  /** Undefined if unknown. */
  streaming(): readonly StreamingText[] | undefined;
}

/** Where to start following. Default: a snapshot at the head. */
export interface FollowOptions {
  /** Events after this sequence. Default: a snapshot at the head, then new events. */
  readonly after?: number;
  /** How many events `after` may lag before a snapshot is sent instead. */
  readonly window?: number;
  /** On whose behalf, for another node that owns the session. Default: the program itself. */
  readonly for?: { readonly person: Actor; readonly role: string };
  /** `here`: reject with a `misdirected` fault where the session isn't alive in this process, or no longer. */
  readonly reach?: 'anywhere' | 'here';
}

export interface FollowSink {
  /** Accepts an update synchronously. Never throws. */
  tell(update: Update): void;
  /** True if its buffer is full. */
  readonly isBehind: boolean;
  /** Resolves once it has caught up or left. */
  ready(): Promise<void>;
  /** `by-turns` delivers at the end of each event-loop turn and joins pieces of text. Default: at once. */
  readonly hears?: 'at-once' | 'by-turns';
}

interface FollowingInto {
  readonly after: number | undefined;
  readonly window: number | undefined;
  readonly source: FollowSource;
  readonly sink: FollowSink;
  /** Calls `push` for every update from now on, and `end` when this source has no more. */
  readonly listen: (push: (update: Update) => void, end: () => void) => () => void;
  readonly leaving: Leaving;
  /** How much of each text the reader already has from elsewhere. Kept up to date, so that no text is sent twice. */
  readonly seen?: Map<string, number>;
  /** The most updates to buffer while the reader catches up. */
  readonly limit: number;
  /** True if the session may have moved to another process after this event. */
  readonly movesAt: ((update: Extract<Update, { type: 'event' }>) => boolean) | undefined;
}

/** Resolves with the sequence of the last delivered event when the source ends or the reader leaves. */
export async function followInto(following: FollowingInto): Promise<number | undefined> {
  const { source, sink, leaving, after, window = 10_000, limit } = following;
  const { seen = new Map<string, number>() } = following;
  const newest = createCursor();
  /** The end of the last turn that was delivered. Text of effects before it comes late and is in the journal. */
  let ended = 0;
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

  /** Delivers one update. If it can't be delivered in order, the live part ends. */
  function take(update: Update): void {
    if (sink.isBehind) return lag();
    if (update.type === 'progress') {
      if (newest.goesOn(update)) return sink.tell(update);
      if (seqOfEffect(update.effect) < ended) return;
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
        ended = seq;
        // Text of the next turn may come before this event, which is read from the journal.
        forgetBefore(newest.notedIn(seen), seq);
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
        if (recorded.event.type === 'turn-ended') ended = reached;
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
      // No `await` from here to the last line of the live part, so that no update is missed or duplicated.
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

/** The position in the newest stream. Nearly every piece of text continues there and needs no lookup. */
function createCursor() {
  let at: { effect: string; attempt: number; kind: string; end: number } | undefined;
  return {
    /** Accepts a piece that continues exactly there. */
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
    /** Writes the position back, so that a piece that doesn't continue there is compared with everything received. */
    notedIn(seen: Map<string, number>) {
      if (at !== undefined) seen.set(`${at.effect}/${at.attempt}/${at.kind}`, at.end);
      return seen;
    },
    forget: () => (at = undefined),
  };
}
