/** An open question above the editor: what it asks, why, which rule, and the possible answers. */
import type { OpenQuestion } from '../../views/open-question.ts';
import { keyLines, questionBody, type CardLine } from '../../wording/question-card.ts';
import { choicesOf } from '../../wording/question-choices.ts';
import { questionHeading } from '../../wording/question.ts';
import { cut, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface Asked {
  readonly question: OpenQuestion;
  /** Who asks. Absent for the current agent. */
  readonly asker?: string;
  /** How many more questions are waiting. */
  readonly more: number;
  /** `soon`: it just appeared, so a key pressed before the user could read it doesn't count. */
  readonly keys: 'count' | 'soon' | 'elsewhere';
}

const mostBody = 12;

export function questionPanel(asked: Asked, look: Look): readonly string[] {
  const { question, more } = asked;
  const { paint, width } = look;
  const behind = more === 0 ? '' : paint.quiet(` (${more} more after this)`);
  const body = bodyOf(asked, look);
  const shown =
    body.length > mostBody ? [...body.slice(0, mostBody), paint.quiet('… ctrl+o shows all of the call')] : body;
  const keys = asked.keys === 'count' ? keysFor(question, look) : [paint.quiet(otherKeys[asked.keys])];
  return [
    ...wrapped(
      `${paint.strong(headOf(asked))}${behind}`,
      width,
      `${paint.warning('┌─')} `,
      `${paint.warning('│ ')} `,
    ),
    ...shown.map((line) => cut(`${paint.warning('│')} ${line}`, width)),
    ...keys.map((line, index) => cut(`${paint.warning(index === keys.length - 1 ? '└─' : '│ ')} ${line}`, width)),
  ];
}

const otherKeys = { soon: '…', elsewhere: 'esc: answer this question' };

function headOf({ question, asker }: Asked): string {
  return `${asker === undefined ? '' : `${asker}: `}${questionHeading(question)}`;
}

function bodyOf({ question }: Asked, look: Look): readonly string[] {
  const { args } = question;
  const whole = args === undefined ? undefined : look.textOf(args);
  return questionBody(question, { args: whole }).flatMap(({ tone, text }) =>
    wrapped(painted(tone, text, look), look.width - 2),
  );
}

function painted(tone: CardLine['tone'], text: string, { paint }: Look): string {
  const style = styles[tone];
  return style === undefined ? text : paint[style](text);
}

const styles = {
  heading: 'strong',
  plain: undefined,
  quiet: 'quiet',
  danger: 'error',
  caution: 'warning',
  added: 'good',
  removed: 'error',
} as const satisfies Readonly<Record<CardLine['tone'], string | undefined>>;

/** One row per choice, with the rule that it saves. Rules wrap and are never truncated. */
function keysFor({ about }: OpenQuestion, look: Look): readonly string[] {
  const rows = keyLines(about).map(({ tone, text }) => painted(tone, text, look));
  const isDenied = choicesOf(about).some(({ answer }) => answer.type === 'reject');
  const reason = isDenied && about.type !== 'form' ? ['r  Deny with a reason'] : [];
  return [...rows, ...reason].flatMap((row) => wrapped(row, look.width - 3));
}
