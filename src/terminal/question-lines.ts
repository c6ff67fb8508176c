/** An open question as it is asked above the editor: what, why, which rule, and what may be said. */
import { previewOf } from '../kernel/content.ts';
import type { CallFacts } from '../kernel/call.ts';
import { approvalPart, grantsText } from '../views/call-summary.ts';
import { mainArgument } from '../views/main-argument.ts';
import type { OpenQuestion } from '../views/open-question.ts';
import { printable } from '../views/printable.ts';
import { changeLine, changesIn } from './change-lines.ts';
import { cut, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface Asked {
  readonly question: OpenQuestion;
  /** Of the call that is asked about, where it is known here. */
  readonly facts?: CallFacts;
  /** Who asks, where it is not the agent spoken to. */
  readonly asker?: string;
  /** How many more wait behind it. */
  readonly more: number;
  /** `soon`: it was shown just now, and a key pressed before it could be read is no answer. */
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
    cut(`${paint.warning('┌─')} ${paint.strong(headOf(asked))}${behind}`, width),
    ...shown.map((line) => cut(`${paint.warning('│')} ${line}`, width)),
    ...keys.map((line, index) => cut(`${paint.warning(index === keys.length - 1 ? '└─' : '│ ')} ${line}`, width)),
  ];
}

const otherKeys = { soon: '…', elsewhere: 'esc: answer this question' };

function headOf({ question: { about }, asker }: Asked): string {
  const who = asker === undefined ? '' : `${asker}: `;
  switch (about.type) {
    case 'approval':
      return `${who}may ${about.tool} run?`;
    case 'reply-review':
      return `${who}is this reply good?`;
    case 'repeat':
      return `${who}run the ${about.what} again?`;
    case 'clarification':
      return `${who}a question`;
    case 'form':
      return `${who}${about.title}`;
  }
}

function bodyOf({ question, facts }: Asked, look: Look): readonly string[] {
  const { about, args } = question;
  const { paint, width } = look;
  const room = width - 2;
  const whole = args === undefined ? '' : look.textOf(args);
  switch (about.type) {
    case 'approval': {
      const changes = changesIn(about.tool, whole).map((change) => changeLine(change, look));
      const main = whole === '' ? (about.unit ?? '') : mainArgument(whole);
      const segments = facts?.segments ?? [];
      const parts =
        segments.length < 2 ? [] : segments.map(({ text }, index) => `${index + 1}. ${printable(text)}`);
      const outside = (facts?.paths ?? []).filter(({ inside }) => !inside);
      // However long the call is, what matters most of it stands on top.
      const worst = (about.parts ?? 1) > 1 ? [paint.strong(cut(approvalPart(about), room))] : [];
      return [
        ...worst,
        ...wrapped(printable(main), room),
        ...parts.flatMap((part) => wrapped(paint.accent(part), room, '  ')),
        ...changes,
        ...outside.map(({ path }) => paint.warning(`outside the folder: ${printable(path)}`)),
        ...(facts?.dangers ?? []).flatMap(({ reason }) => wrapped(paint.error(reason), room)),
        ...wrapped(paint.quiet(`Why: ${printable(about.reason)}`), room),
        ...wrapped(paint.quiet(`Rule: ${printable(about.rule)}`), room),
      ];
    }
    case 'repeat':
      return [...wrapped(printable(mainArgument(whole)), room), ...wrapped(paint.quiet(about.reason), room)];
    case 'clarification':
      return wrapped(printable(previewOf(about.text)), room);
    case 'form':
      return wrapped(
        about.url === undefined ? paint.quiet(JSON.stringify(about.schema)) : printable(about.url),
        room,
      );
    case 'reply-review':
      return [];
  }
}

function keysFor({ about }: OpenQuestion, { paint, width }: Look): readonly string[] {
  const key = (name: string, words: string) => `${paint.accent(`[${name}]`)} ${words}`;
  const rest = [key('n', 'no'), key('r', 'no, because…')];
  switch (about.type) {
    case 'approval': {
      const what = grantsText(about.grants);
      const wider = what === '' ? [] : [key('s', 'this session'), key('a', 'always here')];
      const keys = wrapped([key('y', 'once'), ...wider, ...rest].join('  '), width - 3);
      return what === '' ? keys : [paint.quiet(cut(`s and a allow: ${printable(what)}`, width - 3)), ...keys];
    }
    case 'reply-review':
    case 'repeat':
      return [[key('y', 'yes'), ...rest].join('  ')];
    case 'clarification':
      return about.options.length === 0
        ? [paint.quiet('type the answer and press enter')]
        : [
            ...about.options.map((option, index) => key(`${index + 1}`, printable(option))),
            paint.quiet('or type another answer and press enter'),
          ];
    case 'form':
      if (about.url !== undefined) return [[key('y', 'done'), key('n', 'no')].join('  ')];
      return [paint.quiet('type the answer as JSON and press enter')];
  }
}
