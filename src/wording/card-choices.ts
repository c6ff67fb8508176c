/** The rows of a request's card: each choice with its key and the exact rule that it saves. */
import type { Answer } from '../kernel/question.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { grantsText } from '../views/call-summary.ts';
import { judgedParts, type JudgedPart } from '../views/covering-rule.ts';
import { partRisk } from '../views/part-risk.ts';
import { visibleLine } from '../views/visible-text.ts';
import { isDangerous } from './effect-heading.ts';
import { choicesOf } from './question-choices.ts';

type Asked = Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>;

export interface CardChoice {
  /** A letter, or the number of an option. */
  readonly key: string;
  readonly label: string;
  /** The rules that it saves, each whole, with what a set of calls covers. */
  readonly rules: readonly string[];
  /** The same rules where a card has no room for that. Default: no shorter form. */
  readonly bareRules?: readonly string[];
  readonly effect: string;
  readonly does: CardAct;
}

export type CardAct =
  | { readonly type: 'answer'; readonly answer: Answer }
  /** Allows this request and the equal ones that wait, once. */
  | { readonly type: 'answer-alike' }
  /** The user types the reason for a no. */
  | { readonly type: 'reason' }
  /** The user types the answer. */
  | { readonly type: 'write' };

/** `alike`: other open requests that the same answer may cover. */
export function cardChoices(
  question: Asked,
  project: string,
  alike: readonly Pick<OpenQuestion, 'about' | 'facts'>[] = [],
): readonly CardChoice[] {
  const { about } = question;
  switch (about.type) {
    case 'approval': {
      const rules = (detail: 'short' | 'whole') =>
        about.grants.map((grant) => visibleLine(grantsText([grant], detail)));
      const bareRules = about.grants.map(visibleLine);
      const danger = isDangerous(question);
      const once = { ...row('y', 'Allow once', { type: 'allow-once' }), effect: onceText(question, danger) };
      const wider = [
        {
          ...row('s', 'Allow this session', { type: 'allow-session' }),
          rules: rules('short'),
          bareRules,
          effect: 'until the session ends',
        },
        // An irreversible call gets no permanent rule.
        ...(danger
          ? []
          : [
              {
                ...row('a', 'Always allow', { type: 'allow-always' }),
                rules: rules('whole'),
                bareRules,
                effect: `in ${project}`,
              },
            ]),
      ];
      return [
        once,
        ...(about.grants.length === 0 ? [] : wider),
        ...(alike.length === 0 || danger ? [] : [allAlike(question, alike)]),
        deny,
        reason,
      ];
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

function onceText(question: Asked, danger: boolean): string {
  const { about } = question;
  const parts = judgedParts(question);
  const isEdit = about.type === 'approval' && (about.tool === 'edit' || about.tool === 'write');
  const all = parts.length > 1 ? `${runsAll(parts.length)} ` : isEdit ? 'Applies this edit. ' : '';
  return `${all}Saves no rule.${danger ? ` Press Y twice: ${lastingParts(parts)} can't be undone.` : ''}`;
}

/** That a yes to a command of several parts runs each of them. */
export function runsAll(parts: number): string {
  return parts === 2 ? 'Runs both parts.' : `Runs all ${parts} parts.`;
}

/** "part 2", "parts 2 and 4", or "it" where the whole call can't be undone. */
export function lastingParts(parts: readonly JudgedPart[]): string {
  const numbers = parts.flatMap((part, index) =>
    part.allowing === undefined && partRisk(part).level === 3 ? [`${index + 1}`] : [],
  );
  if (parts.length < 2 || numbers.length === 0) return 'it';
  const last = numbers.at(-1) ?? '';
  return numbers.length === 1 ? `part ${last}` : `parts ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

function allAlike(
  question: Pick<OpenQuestion, 'about' | 'facts'>,
  alike: readonly Pick<OpenQuestion, 'about' | 'facts'>[],
): CardChoice {
  const { about } = question;
  const tool = about.type === 'approval' ? about.tool : '';
  const noun = tool === 'edit' || tool === 'write' ? 'edit' : tool === 'shell' ? 'command' : `${tool} call`;
  const folder = sharedFolder(
    [question, ...alike].flatMap(({ facts }) => facts?.paths ?? []).map(({ path }) => path),
  );
  const where = folder === '' ? '' : ` in ${visibleLine(folder)}/**`;
  const wait = alike.length === 1 ? 'waits' : 'wait';
  return {
    ...row('l', `Allow ${alike.length + 1} like this`),
    effect: `${alike.length} more ${noun}${alike.length === 1 ? '' : 's'}${where} ${wait}. Saves no rule.`,
    does: { type: 'answer-alike' },
  };
}

/** The folder that holds all of them. Empty if that is the session's own. */
function sharedFolder(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => path.split('/').slice(0, -1));
  const differs = first.findIndex((name, index) => rest.some((other) => other[index] !== name));
  return (differs === -1 ? first : first.slice(0, differs)).join('/');
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
