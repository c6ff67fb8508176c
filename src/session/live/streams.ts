import type { Event } from '../../kernel/event.ts';
import type { EffectId } from '../../kernel/ids.ts';
import type { EffectProgress } from '../../ports/effect-host.ts';
import type { Progress, StreamingText } from '../update.ts';

/** Streamed text per running effect, so that a reader that joins mid-sentence gets the sentence so far. */
export interface Streams {
  running: Map<EffectId, Running> | undefined;
}

interface Running {
  readonly attempt: number;
  text: string;
  reasoning: string;
  output: string;
}

/** The most of a running tool's output to keep. The result brings the complete output. */
const longestOutput = 64 * 1024;

export function newStreams(): Streams {
  return { running: undefined };
}

export function addProgress(streams: Streams, progress: EffectProgress): Progress {
  const { effect, attempt, kind, text } = progress;
  let stream = streams.running?.get(effect);
  if (stream === undefined || stream.attempt !== attempt) {
    stream = { attempt, text: '', reasoning: '', output: '' };
    streams.running = (streams.running ?? new Map<EffectId, Running>()).set(effect, stream);
  }
  if (kind === 'status') return { type: 'progress', ...progress, offset: 0 };
  const offset = stream[kind].length;
  if (kind !== 'output' || offset + text.length <= longestOutput) stream[kind] += text;
  return { type: 'progress', effect, attempt, kind, text, offset };
}

/** Drops the streamed text that an event completes. */
export function endStreams(streams: Streams, event: Event): void {
  if (event.type === 'model-settled') streams.running?.delete(event.effect);
  else if (event.type === 'turn-ended') streams.running = undefined;
  else if (event.type === 'agent-reported') {
    const { report } = event;
    const effect = report.type === 'message' || report.type === 'thought' ? report.effect : undefined;
    if (effect !== undefined) streams.running?.delete(effect);
  }
}

export function streamingIn({ running }: Streams): readonly StreamingText[] {
  return running === undefined ? [] : [...running].map(([effect, stream]) => ({ effect, ...stream }));
}
