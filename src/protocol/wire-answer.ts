import { previewOf } from '../kernel/content.ts';
import { optional } from '../kernel/optional.ts';
import type { Answer } from '../kernel/question.ts';
import type { WireAnswer } from './input-schema.ts';

/** An answer as the wire has it. */
export function wireAnswer(answer: Answer): WireAnswer {
  switch (answer.type) {
    case 'option':
      return { option: answer.option };
    case 'text':
      return { text: answer.text };
    case 'form':
      return { form: answer.form };
    case 'reject':
      return { choice: 'reject', ...optional({ reason: answer.reason }) };
    case 'allow-edited':
      return { edited: JSON.parse(previewOf(answer.args)) as Record<string, unknown> };
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
      return { choice: answer.type };
  }
}
