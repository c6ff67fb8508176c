/**
 * Delivers a live session's updates to its listeners, each once and in order.
 *
 * 1. A listener receives updates immediately.
 * 2. A listener by turns receives them at the end of the event-loop turn, with consecutive pieces of text joined: a
 *    thousand followers then cost once per turn instead of once per token.
 * 3. A new listener receives nothing that happened before it joined.
 */
import { atTurnsEnd } from '../follow/at-turns-end.ts';
import type { Progress, Update } from '../update.ts';

export interface Broadcast {
  tell(update: Update): void;
  /** `onEnd`: no more updates will follow. */
  listen(listener: (update: Update) => void, onEnd?: () => void): () => void;
  listenByTurns(listener: (update: Update) => void, onEnd?: () => void): () => void;
  /** Delivers now what would be delivered at the end of this turn. */
  flush(): void;
  end(): void;
  listeners(): number;
}

/** Created for the first listener of its kind: most sessions have none or one. */
type Listeners = Map<(update: Update) => void, (() => void) | undefined> | undefined;

export function createBroadcast(): Broadcast {
  let atOnce: Listeners;
  let byTurns: Listeners;
  let gathered: Update[] = [];

  function flush(): void {
    if (gathered.length === 0) return;
    const updates = gathered;
    gathered = [];
    if (byTurns === undefined) return;
    for (const update of joined(updates)) for (const listener of byTurns.keys()) listener(update);
  }

  return {
    tell(update) {
      if (atOnce !== undefined) for (const listener of atOnce.keys()) listener(update);
      if (byTurns !== undefined && byTurns.size > 0 && gathered.push(update) === 1) atTurnsEnd(flush);
    },
    listen(listener, onEnd) {
      atOnce = (atOnce ?? new Map()).set(listener, onEnd);
      return () => atOnce?.delete(listener);
    },
    listenByTurns(listener, onEnd) {
      flush();
      byTurns = (byTurns ?? new Map()).set(listener, onEnd);
      return () => byTurns?.delete(listener);
    },
    flush,
    end() {
      flush();
      const ends = [...(atOnce?.values() ?? []), ...(byTurns?.values() ?? [])];
      atOnce?.clear();
      byTurns?.clear();
      for (const end of ends) end?.();
    },
    listeners: () => (atOnce?.size ?? 0) + (byTurns?.size ?? 0),
  };
}

/** Longer text starts a new piece, so that a reader can report between pieces that it is behind. */
const longestPiece = 4096;

/** Joins consecutive pieces of one text. */
function joined(updates: readonly Update[]): readonly Update[] {
  if (updates.length === 1) return updates;
  const whole: Update[] = [];
  let open: { -readonly [Key in keyof Progress]: Progress[Key] } | undefined;
  for (const update of updates) {
    if (open !== undefined && update.type === 'progress' && goesOn(open, update)) open.text += update.text;
    else {
      open = update.type === 'progress' ? { ...update } : undefined;
      whole.push(open ?? update);
    }
  }
  return whole;
}

function goesOn({ effect, attempt, kind, offset, text }: Progress, next: Progress): boolean {
  if (kind === 'status' || next.kind !== kind || next.attempt !== attempt || next.effect !== effect) return false;
  return next.offset === offset + text.length && text.length + next.text.length <= longestPiece;
}
