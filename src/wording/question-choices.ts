/** The possible answers to a question, and the exact rule that each saves. */
import type { Answer, QuestionSubject } from '../kernel/question.ts';
import { grantsText } from '../views/call-summary.ts';
import { visibleLine } from '../views/visible-text.ts';
import { singleField } from './single-field.ts';

interface Choice {
  /** The key, or the number of an option. */
  readonly key: string;
  readonly label: string;
  readonly answer: Answer;
  /** Its further effects, including rules. Never truncated. */
  readonly effect: string;
}

export function choicesOf(about: QuestionSubject): readonly Choice[] {
  switch (about.type) {
    case 'approval': {
      const rules = (detail: 'short' | 'whole') => visibleLine(grantsText(about.grants, detail));
      const once = choice('y', 'Allow once', 'allow-once', 'saves no rule');
      if (about.grants.length === 0) return [once, deny];
      return [
        once,
        choice('s', 'Allow this session', 'allow-session', `saves ${rules('short')} until the session ends`),
        choice('a', 'Always allow', 'allow-always', `saves ${rules('whole')} for this project`),
        deny,
      ];
    }
    case 'reply-review':
      return [choice('y', 'Approve', 'allow-once', 'ends the turn'), deny];
    case 'repeat':
      return [choice('y', 'Run again', 'allow-once', 'saves no rule'), deny];
    case 'clarification':
      return about.options.map((option, index) => ({
        key: `${index + 1}`,
        label: visibleLine(option),
        answer: { type: 'option', option },
        effect: '',
      }));
    case 'form':
      if (about.url !== undefined) return [choice('y', 'Done', 'allow-once', ''), deny];
      return formChoices(about.schema);
  }
}

/** A form with one choice is answered by a key. */
function formChoices(schema: unknown): readonly Choice[] {
  const { name, choices = [] } = singleField(schema) ?? {};
  if (name === undefined) return [];
  return choices.map(({ value, title }, index) => ({
    key: `${index + 1}`,
    label: visibleLine(title),
    answer: { type: 'form', form: { [name]: value } },
    effect: '',
  }));
}

/** The `rondo answer` command that gives an answer. */
export function answerCommandText(id: string, answer: Answer): string {
  switch (answer.type) {
    case 'option':
      return `rondo answer ${id} --option ${JSON.stringify(answer.option)}`;
    case 'text':
      return `rondo answer ${id} --text "…"`;
    case 'allow-edited':
      return `rondo answer ${id} --edited '{…}'`;
    case 'form':
      return `rondo answer ${id} --form '${isEmpty(answer.form) ? '{…}' : JSON.stringify(answer.form)}'`;
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
    case 'reject':
      return `rondo answer ${id} ${answer.type}`;
  }
}

function choice(
  key: string,
  label: string,
  type: 'allow-once' | 'allow-session' | 'allow-always',
  effect: string,
): Choice {
  return { key, label, answer: { type }, effect };
}

const deny: Choice = {
  key: 'n',
  label: 'Deny',
  answer: { type: 'reject' },
  effect: 'tells the agent no',
};

function isEmpty(form: unknown): boolean {
  return typeof form !== 'object' || form === null || Object.keys(form).length === 0;
}
