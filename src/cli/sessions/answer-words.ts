import { optional } from '../../kernel/optional.ts';
import type { Answer } from '../../kernel/question.ts';
import { usageError } from '../usage-error.ts';

export const choices = ['allow-once', 'allow-session', 'allow-always', 'reject'] as const;

interface AnswerWords {
  readonly choice?: string | undefined;
  readonly reason?: string | undefined;
  readonly option?: string | undefined;
  readonly text?: string | undefined;
  readonly form?: string | undefined;
}

/** Parses a command's words into one answer. */
export function answerFromWords({ choice, reason, option, text, form }: AnswerWords): Answer {
  const given = [choice, option, text, form].filter((word) => word !== undefined);
  if (given.length !== 1) {
    throw usageError(`give one answer: ${choices.join(', ')}, --option, --text or --form`);
  }
  if (option !== undefined) return { type: 'option', option };
  if (text !== undefined) return { type: 'text', text };
  if (form !== undefined) return { type: 'form', form: parseForm(form) };
  if (reason !== undefined && choice !== 'reject' && choice !== 'deny')
    throw usageError(`only "reject" takes a reason, not "${choice}"`);
  switch (choice) {
    case 'allow-once':
    case 'allow':
      return { type: 'allow-once' };
    case 'allow-session':
    case 'session':
      return { type: 'allow-session' };
    case 'allow-always':
    case 'always':
      return { type: 'allow-always' };
    case 'reject':
    case 'deny':
      return { type: 'reject', ...optional({ reason }) };
    default:
      throw usageError(`"${choice}" isn't an answer; use ${choices.join(', ')}, or --option, --text or --form`);
  }
}

function parseForm(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`--form is not valid JSON: ${(error as Error).message}`);
  }
}
