import type { EffectId } from '../kernel/ids.ts';
import type { EffectProgress } from './interpreter.ts';
import type { Progress, StreamingText } from './update.ts';

/** Text being streamed, kept per running effect so that whoever joins in mid-sentence gets the sentence so far. */
export interface Streams {
  add(progress: EffectProgress): Progress;
  end(effect: EffectId): void;
  clear(): void;
  current(): readonly StreamingText[];
}

/** Output of a tool is kept only to this length while it runs; the whole of it comes with its result. */
const longestOutput = 64 * 1024;

export function createStreams(): Streams {
  const running = new Map<EffectId, { attempt: number; text: string; reasoning: string; output: string }>();
  return {
    add(progress) {
      const { effect, attempt, kind, text } = progress;
      let stream = running.get(effect);
      if (stream === undefined || stream.attempt !== attempt) {
        stream = { attempt, text: '', reasoning: '', output: '' };
        running.set(effect, stream);
      }
      if (kind === 'status') return { type: 'progress', ...progress, offset: 0 };
      const offset = stream[kind].length;
      if (kind !== 'output' || offset + text.length <= longestOutput) stream[kind] += text;
      return { type: 'progress', effect, attempt, kind, text, offset };
    },
    end: (effect) => running.delete(effect),
    clear: () => running.clear(),
    current: () => [...running].map(([effect, stream]) => ({ effect, ...stream })),
  };
}
