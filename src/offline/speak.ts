import { setTimeout as pause } from 'node:timers/promises';

import type { ModelSink } from '../ports/model.ts';

export interface Pace {
  /** Pause between two words. */
  readonly wordMs: number;
  /** Limit for a whole reply; long replies go faster. */
  readonly wholeMs: number;
}

/** Streams a text word by word. False if the signal aborted. */
export async function speak(text: string, sink: ModelSink, signal: AbortSignal, pace: Pace): Promise<boolean> {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  const wait = Math.min(pace.wordMs, pace.wholeMs / Math.max(1, words.length));
  // Timers are coarse, so several words share a pause.
  const stride = Math.max(1, Math.round(1 / Math.max(wait, 0.02)));
  for (const [index, word] of words.entries()) {
    if (signal.aborted) return false;
    sink.text(word);
    if (index % stride === stride - 1) await pause(wait * stride, undefined, { signal }).catch(() => undefined);
  }
  return !signal.aborted;
}
