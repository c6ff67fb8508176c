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
  readonly edited?: string | undefined;
}

/** Parses a command's words into one answer. */
export function answerFromWords({ choice, reason, option, text, form, edited }: AnswerWords): Answer {
  const given = [choice, option, text, form, edited].filter((word) => word !== undefined);
  if (given.length !== 1) {
    throw usageError(`give one answer: ${choices.join(', ')}, --option, --text, --form or --edited`);
  }
  if (option !== undefined) return { type: 'option', option };
  if (text !== undefined) return { type: 'text', text };
  if (form !== undefined) return { type: 'form', form: parsed('--form', form) };
  if (edited !== undefined) return { type: 'allow-edited', args: JSON.stringify(parsed('--edited', edited)) };
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

function parsed(option: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`${option} is not valid JSON: ${(error as Error).message}`);
  }
}
