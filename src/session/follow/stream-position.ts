/** How much of each streamed text a reader has received. */
import { seqOfEffect, type EffectId } from '../../kernel/ids.ts';
import type { Progress, StreamingText } from '../update.ts';

const streamKey = (effect: EffectId, attempt: number, kind: string) => `${effect}/${attempt}/${kind}`;

export function noteStream(
  seen: Map<string, number>,
  { effect, attempt, text, reasoning, output }: StreamingText,
): void {
  seen.set(streamKey(effect, attempt, 'text'), text.length);
  seen.set(streamKey(effect, attempt, 'reasoning'), reasoning.length);
  seen.set(streamKey(effect, attempt, 'output'), output.length);
}

/** Drops the texts of effects before an event. */
export function forgetBefore(seen: Map<string, number>, seq: number): void {
  for (const key of seen.keys()) {
    if (seqOfEffect(key.slice(0, key.indexOf('/')) as EffectId) < seq) seen.delete(key);
  }
}

/** The text streamed so far, as progress from the start. */
export function* streamSoFar(stream: StreamingText): Generator<Progress> {
  const { effect, attempt } = stream;
  for (const kind of ['reasoning', 'text', 'output'] as const) {
    const text = stream[kind];
    if (text !== '') yield { type: 'progress', effect, attempt, kind, text, offset: 0 };
  }
}

/** The part of a progress update that the reader hasn't received. */
export function unseen(seen: Map<string, number>, progress: Progress): Progress | undefined {
  if (progress.kind === 'status') return progress;
  const key = streamKey(progress.effect, progress.attempt, progress.kind);
  const had = seen.get(key) ?? 0;
  const end = progress.offset + progress.text.length;
  // A piece is useless without its beginning. The settlement brings the whole text.
  if (end <= had || progress.offset > had) return undefined;
  seen.set(key, end);
  if (progress.offset >= had) return progress;
  return { ...progress, offset: had, text: progress.text.slice(had - progress.offset) };
}
