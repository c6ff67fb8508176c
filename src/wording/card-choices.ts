/** The rows of a request's card: each choice with its key and the exact rule that it saves. */
import type { Answer } from '../kernel/question.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { grantsText } from '../views/call-summary.ts';
import { partsOf } from '../views/part-risk.ts';
import { visibleLine } from '../views/visible-text.ts';
import { isDangerous } from './effect-heading.ts';
import { choicesOf } from './question-choices.ts';

export interface CardChoice {
  /** A letter, or the number of an option. */
  readonly key: string;
  readonly label: string;
  /** The rules that it saves, each whole. */
  readonly rules: readonly string[];
  readonly effect: string;
  readonly does: CardAct;
}

export type CardAct =
  | { readonly type: 'answer'; readonly answer: Answer }
  /** The user types the reason for a no. */
  | { readonly type: 'reason' }
  /** The user types the answer. */
  | { readonly type: 'write' };

export function cardChoices(
  question: Pick<OpenQuestion, 'about' | 'facts'>,
  project: string,
): readonly CardChoice[] {
  const { about } = question;
  switch (about.type) {
    case 'approval': {
      const rules = (detail: 'short' | 'whole') =>
        about.grants.map((grant) => visibleLine(grantsText([grant], detail)));
      const danger = isDangerous(question);
      const once = { ...row('y', 'Allow once', { type: 'allow-once' }), effect: onceText(question, danger) };
      const wider = [
        {
          ...row('s', 'Allow this session', { type: 'allow-session' }),
          rules: rules('short'),
          effect: 'until the session ends',
        },
        // What can't be undone gets no permanent rule.
        ...(danger
          ? []
          : [
              {
                ...row('a', 'Always allow', { type: 'allow-always' }),
                rules: rules('whole'),
                effect: `in ${project}`,
              },
            ]),
      ];
      return [once, ...(about.grants.length === 0 ? [] : wider), deny, reason];
    }
    case 'reply-review':
    case 'repeat':
      return [...choicesOf(about).slice(0, -1).map(fromChoice), deny, reason];
    case 'clarification':
      return [
        ...choicesOf(about).map(fromChoice),
        { ...row(`${about.options.length + 1}`, 'Type an answer'), does: { type: 'write' } },
        { ...row('0', 'Let the agent decide', { type: 'text', text: 'You decide.' }) },
      ];
    case 'form':
      return about.url === undefined
        ? [{ ...row('1', 'Type the answer as JSON'), does: { type: 'write' } }, deny]
        : [...choicesOf(about).slice(0, -1).map(fromChoice), deny];
  }
}

function onceText(question: Pick<OpenQuestion, 'about' | 'facts'>, danger: boolean): string {
  const count = partsOf(question.facts).length;
  const all = count > 1 ? `Runs all ${count} parts. ` : '';
  return `${all}Saves no rule.${danger ? " Press Y twice: it can't be undone." : ''}`;
}

function row(key: string, label: string, answer: Answer = { type: 'reject' }): CardChoice {
  return { key, label, rules: [], effect: '', does: { type: 'answer', answer } };
}

function fromChoice({ key, label, effect, answer }: ReturnType<typeof choicesOf>[number]): CardChoice {
  return { key, label, rules: [], effect: sentence(effect), does: { type: 'answer', answer } };
}

const deny: CardChoice = { ...row('n', 'Deny'), effect: 'Tells the agent no.' };
const reason: CardChoice = { ...row('r', 'Deny with a reason'), does: { type: 'reason' } };

function sentence(text: string): string {
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
