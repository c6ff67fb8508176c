/**
 * Redacts a model's text: keys and passwords that this process knows are hidden before anyone sees the text and
 * before it is recorded. Call arguments stay unchanged, since the calls must run with them. So does data that a
 * provider needs back unchanged.
 */
import type { Model } from '../../ports/model.ts';
import { createRedactor, createStreamRedactor } from '../../security/secrets/redact.ts';

export function redactModel(model: Model, secrets: readonly string[]): Model {
  if (secrets.length === 0) return model;
  const hide = createRedactor(secrets, 'known');
  return {
    ...model,
    async call(request, sink, signal) {
      const text = createStreamRedactor(secrets, 'known');
      const reasoning = createStreamRedactor(secrets, 'known');
      const say = (tell: (words: string) => void, words: string): void => {
        if (words !== '') tell(words);
      };
      const result = await model.call(
        request,
        {
          text: (delta) => say(sink.text, text.push(delta)),
          reasoning: (delta) => say(sink.reasoning, reasoning.push(delta)),
          status: sink.status,
        },
        signal,
      );
      if (!signal.aborted) {
        say(sink.reasoning, reasoning.end());
        say(sink.text, text.end());
      }
      if (result.type !== 'completed') return result;
      return {
        ...result,
        text: hide(result.text),
        ...(result.reasoning !== undefined && { reasoning: hide(result.reasoning) }),
      };
    },
  };
}
