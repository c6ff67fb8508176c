/** What a yes would run or change: the parts of a command with their effects, the diff of an edit, the arguments. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { argumentsOf } from '../../views/call-arguments.ts';
import { changesIn } from '../../views/call-changes.ts';
import { changeCounts as countedLines } from '../../views/line-diff.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { partRisk, partsOf, type PartRisk } from '../../views/part-risk.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { counted } from '../../wording/counted.ts';
import { questionBody } from '../../wording/question-card.ts';
import { reasonText } from '../../wording/reason.ts';
import { countsText } from './call-lines.ts';
import { diffLines, sideBySideFrom } from './diff-lines.ts';
import { padded, spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface CardBody {
  readonly lines: readonly string[];
  /** How many of them must have been on the screen before a yes: all parts of a command. */
  readonly mustSee: number;
}

export interface BodyOptions {
  readonly before: string | undefined;
  readonly isSideBySide: boolean | undefined;
}

const contextLines = 2;

export function cardBody(question: OpenQuestion, options: BodyOptions, look: Look): CardBody {
  const { about, args, facts } = question;
  const whole = args === undefined ? undefined : look.textOf(args);
  if (about.type === 'approval' && whole !== undefined) {
    const changes = changesIn(about.tool, argumentsOf(whole), options.before, contextLines);
    if (changes.length > 0)
      return { lines: changes.flatMap((change) => [...changeBody(change, question, options, look)]), mustSee: 0 };
    const parts = partsOf(facts);
    if (parts.length > 1) {
      const lines = partLines(question, whole, look);
      return { lines, mustSee: lines.length };
    }
  }
  const lines = questionBody(question, { args: whole })
    // The heading and the reason are shown above.
    .filter(({ text }) => !text.startsWith('Why: '))
    .flatMap(({ tone, text }) => wrapped(toned(tone, text, look), look.width));
  return { lines, mustSee: 0 };
}

/** Why Rondo asks, in one line. */
export function reasonLine({ about }: OpenQuestion, { paint, width }: Look): readonly string[] {
  if (about.type !== 'approval' && about.type !== 'repeat') return [];
  const rule = about.type === 'approval' && about.rule !== 'default' ? ` (${visibleLine(about.rule)})` : '';
  const title = about.type === 'approval' && about.title !== undefined ? [`"${visibleLine(about.title)}"`] : [];
  return [...title, `${visibleLine(reasonText(about.reason))}${rule}`].flatMap((text) =>
    wrapped(paint.ink2(text), width),
  );
}

function changeBody(
  { path, lines }: ReturnType<typeof changesIn>[number],
  { facts, about }: OpenQuestion,
  { isSideBySide, before }: BodyOptions,
  look: Look,
): readonly string[] {
  const { paint, width } = look;
  const [target] = facts?.paths ?? [];
  const where =
    target === undefined || target.inside ? "in the session's folder" : "!! outside the session's folder";
  const isNew = about.type === 'approval' && about.tool === 'write' && before === '';
  const counts = countsText(countedLines(lines), look);
  const head = `${paint.strong(visibleLine(path))}  ${isNew ? `${paint.ink2('new file')}  ` : ''}${counts}`;
  const isBeside = isSideBySide ?? width >= sideBySideFrom - 4;
  const leading = lines[0]?.type === 'hunk' ? lines.slice(1) : lines;
  return [
    spread(head, target !== undefined && !target.inside ? paint.fail(where) : paint.ink3(where), width),
    ...(target?.sensitive === true ? [paint.warn('!  Holds secrets or settings')] : []),
    ...diffLines(leading, path, look, isBeside),
  ];
}

/** One row per part: number, text, effect and whether a rule covers it. */
function partLines(question: OpenQuestion, whole: string, look: Look): readonly string[] {
  const { paint, width } = look;
  const { about, facts } = question;
  const parts = partsOf(facts).map((part) => ({
    text: visibleLine(part.text),
    risk: partRisk(part),
    asked: part.text,
  }));
  const command = argumentsOf(whole)?.['command'];
  const textWidth = Math.min(44, Math.max(...parts.map(({ text }) => visibleWidth(text))));
  const effectWidth = Math.max(...parts.map(({ risk }) => visibleWidth(effectOf(risk))));
  const isTable = textWidth + effectWidth + 24 <= width;
  const unit = about.type === 'approval' ? about.unit : undefined;
  const rows = parts.flatMap(({ text, risk, asked }, index) => {
    const style = risk.level === 3 ? paint.fail : risk.level > 1 ? paint.warn : (line: string) => line;
    const number = paint.ink3(`${index + 1}`.padStart(3));
    const rule =
      risk.level === 0
        ? `${paint.done(look.glyphs.done)} ${paint.ink3('reads')}`
        : asked === unit
          ? style('no rule')
          : '';
    const effect = style(effectOf(risk));
    if (isTable && visibleWidth(text) <= textWidth)
      return [`${number}  ${padded(style(text), textWidth)}   ${padded(effect, effectWidth)}   ${rule}`.trimEnd()];
    const [first = '', ...rest] = wrapped(style(text), width - 14, `${number}  `, '     ');
    return [spread(first, rule, width).trimEnd(), ...rest, ...wrapped(effect, width, '     ')];
  });
  return [
    ...(typeof command === 'string'
      ? wrapped(paint.ink2(visibleLine(command)), width, `${paint.ink3('$')} `, '  ')
      : []),
    paint.ink3(`1 command, ${counted(parts.length, 'part')}. Allowing it runs all of them.`),
    ...rows,
  ];
}

function effectOf({ level, effect = 'only reads' }: PartRisk): string {
  const mark = level === 3 ? '!! ' : level > 1 ? '!  ' : '';
  return `${mark}${effect.charAt(0).toUpperCase()}${visibleLine(effect.slice(1))}`;
}

function toned(tone: ReturnType<typeof questionBody>[number]['tone'], text: string, { paint }: Look): string {
  switch (tone) {
    case 'heading':
      return paint.strong(text);
    case 'plain':
      return text;
    case 'quiet':
      return paint.ink3(text);
    case 'danger':
    case 'removed':
      return paint.fail(text);
    case 'caution':
      return paint.warn(text);
    case 'added':
      return paint.done(text);
  }
}
