/** A question as text in the conversation, for editors without forms. The next prompt answers it. */
import { answerFrom } from '../../commands/line-answer.ts';
import type { Answer } from '../../kernel/question.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { visibleText } from '../../views/visible-text.ts';
import { keyLines, questionBody } from '../../wording/question-card.ts';
import { choicesOf } from '../../wording/question-choices.ts';
import { questionHeading } from '../../wording/question.ts';
import { agentOptionText, isChoiceAmongEquals } from './permission.ts';

/** `whole` is the full text of a clarification, of which the question may hold the beginning. */
export function questionText(question: OpenQuestion, whole: string): string {
  const { about } = question;
  if (about.type === 'clarification')
    return lines([
      visibleText(whole),
      ...numbered(about.options),
      about.options.length === 0
        ? 'Reply with your answer.'
        : 'Reply with a number, an option or your own answer.',
    ]);
  const body = [questionHeading(question), ...questionBody(question).map(({ text }) => text)];
  if (about.type === 'approval' && isChoiceAmongEquals(about))
    return lines([
      ...body,
      ...numbered((about.options ?? []).map(agentOptionText)),
      'Reply with a number. Any other reply rejects it.',
    ]);
  if (about.type === 'form' && about.url === undefined)
    return lines([
      ...body,
      ...keyLines(question).map(({ text }) => text),
      ...(choicesOf(about).length === 0 ? [] : ['Reply with a number.']),
    ]);
  return lines([
    ...body,
    ...keyLines(question).map(({ text }) => text),
    'Reply with a key. Any other reply rejects it.',
  ]);
}

/** Undefined if the text can't be an answer, such as broken JSON for a form. */
export function answerFromText({ about }: OpenQuestion, text: string): Answer | undefined {
  const reply = text.trim();
  if (about.type === 'approval' && isChoiceAmongEquals(about)) {
    const option = about.options?.[Number(reply) - 1];
    return option === undefined ? { type: 'reject', reason: reply } : { type: 'option', option: option.id };
  }
  return answerFrom(about, reply);
}

function numbered(options: readonly string[]): readonly string[] {
  return options.map((option, index) => `${index + 1}. ${visibleText(option)}`);
}

/** Markdown joins lines unless a blank line separates them. */
function lines(all: readonly string[]): string {
  return all.join('\n\n');
}
