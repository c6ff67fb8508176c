/** A question as a form, for editors that show forms, and the answer from the filled form. */
import type { ElicitationSchema } from '@agentclientprotocol/sdk';

import type { Answer, QuestionSubject } from '../../kernel/question.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { agentOptionText } from './permission.ts';

/** Undefined for a permission that only needs a yes or a no. */
export function questionForm(about: QuestionSubject): ElicitationSchema | undefined {
  switch (about.type) {
    case 'form':
      return about.schema as ElicitationSchema;
    case 'clarification': {
      const words = { type: 'string', title: about.options.length === 0 ? 'Answer' : 'Another answer' } as const;
      if (about.options.length === 0)
        return { type: 'object', properties: { answer: words }, required: ['answer'] };
      const choice = choiceOf(about.options.map((option) => ({ const: option, title: visibleLine(option) })));
      return { type: 'object', properties: { choice, answer: words } };
    }
    case 'approval': {
      const options = about.options ?? [];
      const choice = choiceOf(options.map((option) => ({ const: option.id, title: agentOptionText(option) })));
      return { type: 'object', properties: { choice }, required: ['choice'] };
    }
    case 'repeat':
    case 'reply-review':
      return undefined;
  }
}

function choiceOf(oneOf: { const: string; title: string }[]) {
  return { type: 'string' as const, title: 'Choice', oneOf };
}

/** Undefined if the form is empty or has values that weren't offered. */
export function answerFromForm(about: QuestionSubject, content: unknown): Answer | undefined {
  if (about.type === 'form') return { type: 'form', form: content };
  const { choice, answer } = (content ?? {}) as { readonly choice?: unknown; readonly answer?: unknown };
  if (typeof answer === 'string' && answer !== '') return { type: 'text', text: answer };
  const isOffered =
    about.type === 'clarification'
      ? about.options.some((option) => option === choice)
      : about.type === 'approval' && about.options?.some(({ id }) => id === choice) === true;
  return isOffered ? { type: 'option', option: String(choice) } : undefined;
}
