import type { ModelResult } from '../ports/model.ts';

/** A model's reply without calls. */
export function completedReply(text: string): Extract<ModelResult, { type: 'completed' }> {
  return { type: 'completed', text, calls: [], usage: { inputTokens: 1, outputTokens: 1 }, stop: 'end' };
}
