import type { Recorded } from '../kernel/event.ts';
/**
 * Following a session: subscribe first, then catch up, then every later event, with no gap and no
 * repeat, text being streamed included. A reader that fell too far behind gets a gap and a snapshot.
 */
import type { EffectId } from '../kernel/ids.ts';
import type { FollowerQueue } from './follower-queue.ts';
import type { Progress, SnapshotView, StreamingText, Update } from './update.ts';

export interface FollowSource {
  /** Sequence of the newest event. */
  head(): Promise<number>;
  read(after: number): Promise<readonly { readonly recorded: Recorded; readonly json: string }[]>;
  /** Calls `atInstant` at the very instant it is of, where it can tell. */
  snapshot(atInstant: () => void): Promise<{ readonly seq: number; readonly view: SnapshotView }>;
  /** Undefined where it cannot be told. */
  streaming(): readonly StreamingText[] | undefined;
}

export interface FollowOptions {
  /** Events after this sequence. Without it: a snapshot at the head, then what comes. */
  readonly after?: number;
  /** How far back `after` may lie before a snapshot serves better. */
  readonly window?: number;
}

export async function* follow(
  source: FollowSource,
  queue: FollowerQueue,
  { after, window = 10_000 }: FollowOptions,
): AsyncGenerator<Update, void, undefined> {
  const seen = new Map<string, number>();
  let last = after;
  if (last !== undefined) {
    const head = await source.head();
    if (head - last > window) {
      yield { type: 'gap', from: last + 1, to: head };
      last = undefined;
    }
  }
  for (;;) {
    if (last === undefined) {
      const { seq, view } = await source.snapshot(() => queue.startAfresh());
      yield { type: 'snapshot', seq, view };
      last = seq;
      for (const stream of view.streaming) noteStream(seen, stream);
    } else {
      for (let page = await source.read(last); page.length > 0; page = await source.read(last)) {
        for (const { recorded, json } of page) {
          yield { type: 'event', recorded, json };
          last = recorded.seq;
        }
      }
      const streaming = source.streaming();
      // What is queued of it is told here, or is of an effect that has settled since.
      if (streaming !== undefined) queue.dropProgress();
      for (const stream of streaming ?? []) {
        yield* streamSoFar(stream);
        noteStream(seen, stream);
      }
    }
    const ended = yield* live(queue, seen, last, (seq) => (last = seq));
    if (ended) return;
    const to = await source.head();
    if (to > last) yield { type: 'gap', from: last + 1, to };
    last = undefined;
    seen.clear();
  }
}

/** Yields what the queue brings until it ends (true) or the reader has lagged (false). */
async function* live(
  queue: FollowerQueue,
  seen: Map<string, number>,
  from: number,
  advance: (seq: number) => void,
): AsyncGenerator<Update, boolean, undefined> {
  let last = from;
  for (;;) {
    const update = await queue.next();
    if (update === undefined) return true;
    if (update === 'lagged') return false;
    if (update.type === 'event') {
      if (update.recorded.seq <= last) continue;
      // An event is missing between what was read and what came: start afresh rather than skip it.
      if (update.recorded.seq > last + 1) return false;
      last = update.recorded.seq;
      advance(last);
      yield update;
    } else if (update.type === 'progress') {
      const fresh = unseen(seen, update);
      if (fresh !== undefined) yield fresh;
    } else {
      yield update;
    }
  }
}

const streamKey = (effect: EffectId, attempt: number, kind: string) => `${effect}/${attempt}/${kind}`;

export function noteStream(
  seen: Map<string, number>,
  { effect, attempt, text, reasoning, output }: StreamingText,
): void {
  seen.set(streamKey(effect, attempt, 'text'), text.length);
  seen.set(streamKey(effect, attempt, 'reasoning'), reasoning.length);
  seen.set(streamKey(effect, attempt, 'output'), output.length);
}

/** What was said so far, as progress from the start. */
export function* streamSoFar(stream: StreamingText): Generator<Progress> {
  const { effect, attempt } = stream;
  for (const kind of ['reasoning', 'text', 'output'] as const) {
    const text = stream[kind];
    if (text !== '') yield { type: 'progress', effect, attempt, kind, text, offset: 0 };
  }
}

/** The part of a progress that the reader has not had yet. */
export function unseen(seen: Map<string, number>, progress: Progress): Progress | undefined {
  if (progress.kind === 'status') return progress;
  const key = streamKey(progress.effect, progress.attempt, progress.kind);
  const had = seen.get(key) ?? 0;
  const end = progress.offset + progress.text.length;
  if (end <= had) return undefined;
  seen.set(key, end);
  if (progress.offset >= had) return progress;
  return { ...progress, offset: had, text: progress.text.slice(had - progress.offset) };
}
