/** Answers questions by a typed line, for front ends without keys: a letter or a word for the usual answers. */
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import { choicesOf } from '../wording/question-choices.ts';
import { singleField } from '../wording/single-field.ts';

/** What to type. Shown after a card that explains the choices. */
export function answerPrompt(about: QuestionSubject): string {
  const keys = choicesOf(about).map(({ key }) => key);
  if (about.type === 'clarification' || keys.length === 0) return 'Answer:';
  return `Answer (${[...keys, 'r'].join(', ')}, or why not):`;
}

/** Parses a line: a letter or a word for the usual answers. Anything else denies, with the line as the reason. */
export function answerFrom(about: QuestionSubject, line: string): Answer | undefined {
  if (line === '') return undefined;
  const word = line.toLowerCase();
  if (about.type === 'clarification') {
    const option = about.options[Number(line) - 1] ?? about.options.find((name) => name.toLowerCase() === word);
    return option === undefined ? { type: 'text', text: line } : { type: 'option', option };
  }
  if (about.type === 'form' && about.url === undefined) return formFrom(about.schema, line);
  if (word === 'y' || word === 'yes' || word === 'allow') return { type: 'allow-once' };
  if (about.type === 'approval') {
    const wider = widerAnswers[word];
    // If there is no rule to save, ask again instead of denying because of a letter.
    if (wider !== undefined) return about.grants.length > 0 ? { type: wider } : undefined;
  }
  return word === 'n' || word === 'no' || word === 'deny' ? { type: 'reject' } : { type: 'reject', reason: line };
}

const widerAnswers: Readonly<Record<string, 'allow-session' | 'allow-always' | undefined>> = {
  s: 'allow-session',
  t: 'allow-session',
  session: 'allow-session',
  a: 'allow-always',
  always: 'allow-always',
};

/** JSON, or just the value of a form's only field. */
function formFrom(schema: unknown, line: string): Answer | undefined {
  const field = singleField(schema);
  if (field !== undefined && !line.startsWith('{')) {
    const { name, choices } = field;
    const word = line.toLowerCase();
    const chosen =
      choices?.[Number(line) - 1] ??
      choices?.find(({ value, title }) => value.toLowerCase() === word || title.toLowerCase() === word);
    if (choices !== undefined && chosen === undefined) return undefined;
    return { type: 'form', form: { [name]: chosen?.value ?? line } };
  }
  try {
    return { type: 'form', form: JSON.parse(line) as unknown };
  } catch {
    return undefined;
  }
}
