import { setTimeout as pause } from 'node:timers/promises';

import type { ModelSink } from '../runtime/model.ts';

export interface Pace {
  /** Between two words. */
  readonly wordMs: number;
  /** For a whole reply; a long one is spoken faster. */
  readonly wholeMs: number;
}

/** Says a text word by word; false where the signal came between. The words together are the text. */
export async function speak(text: string, sink: ModelSink, signal: AbortSignal, pace: Pace): Promise<boolean> {
  const words = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  const wait = Math.min(pace.wordMs, pace.wholeMs / Math.max(1, words.length));
  // Timers are coarse: several words share a pause rather than stretch it.
  const stride = Math.max(1, Math.round(1 / Math.max(wait, 0.02)));
  for (const [index, word] of words.entries()) {
    if (signal.aborted) return false;
    sink.text(word);
    if (index % stride === stride - 1) await pause(wait * stride, undefined, { signal }).catch(() => undefined);
  }
  return !signal.aborted;
}
