/**
 * A model without a network: it streams a few words, and calls a tool first where the prompt asks it
 * to save something. Put a real one in its place with `models: { demo: … }`, or leave `models` out.
 */
import type { RondoOptions } from 'rondo';

type Models = Extract<NonNullable<RondoOptions['models']>, Readonly<Record<string, unknown>>>;

export const demoModel: Models[string] = {
  name: 'demo',
  async call({ messages }, sink, signal) {
    const newest = messages.at(-1);
    const asked = messages.findLast(({ role }) => role === 'user')?.text;
    const prompt = typeof asked === 'string' ? asked : '';
    const usage = { inputTokens: 10, outputTokens: 5, cost: 0.001 };
    if (newest?.role === 'user' && prompt.startsWith('save')) {
      const calls = [{ id: `save-${messages.length}`, tool: 'save', args: JSON.stringify({ what: prompt }) }];
      return { type: 'completed', text: '', calls, usage, stop: 'calls' };
    }
    if (prompt === 'think for ever') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    const words = [`Done: `, prompt, '.'];
    for (const word of words) {
      if (signal.aborted) return { type: 'cancelled' };
      sink.text(word);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return { type: 'completed', text: words.join(''), calls: [], usage, stop: 'end' };
  },
};
