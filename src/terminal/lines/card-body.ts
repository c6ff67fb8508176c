/** What a yes would run or change: the parts of a command with their effects, the diff of an edit, the arguments. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { argumentsOf } from '../../views/call-arguments.ts';
import { changesIn, type CallChange } from '../../views/call-changes.ts';
import { changeCounts as countedLines } from '../../kernel/line-diff.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { partsOf } from '../../views/part-risk.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { capital } from '../../wording/capital.ts';
import { questionBody } from '../../wording/question-card.ts';
import { reasonText } from '../../wording/reason.ts';
import { countsText } from './call-lines.ts';
import { diffLines, sideBySideFrom } from './diff-lines.ts';
import { spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';
import { partLines, type DrawnParts } from './part-lines.ts';

export interface CardBody {
  readonly lines: readonly string[];
  /** The parts of a command, all of which must have been on the screen before a yes. */
  readonly parts?: Pick<DrawnParts, 'starts' | 'worst'>;
  /** The files that it changes, and the one that is shown. */
  readonly files?: { readonly count: number; readonly shown: number };
  /** The most lines to show at once. */
  readonly most?: number;
}

interface BodyOptions {
  readonly before: string | undefined;
  readonly isSideBySide: boolean | undefined;
  /** Which of several changed files to show. Default: all, one after another. */
  readonly file?: number | undefined;
}

const contextLines = 2;
/** A diff's heading and 12 of its lines. The rest scrolls. */
const mostDiffLines = 13;

export function cardBody(question: OpenQuestion, options: BodyOptions, look: Look): CardBody {
  const { about, args, facts } = question;
  const whole = args === undefined ? undefined : look.textOf(args);
  if (about.type === 'approval' && whole !== undefined) {
    const changes = changesIn(about.tool, argumentsOf(whole), options.before, contextLines);
    if (changes.length > 0) return changesBody(changes, question, options, look);
    if (partsOf(facts).length > 1) {
      const command = argumentsOf(whole)?.['command'];
      const { lines, starts, worst } = partLines(question, typeof command === 'string' ? command : '', look);
      return { lines, parts: { starts, worst } };
    }
  }
  const lines = questionBody(question, { args: whole })
    // The heading and the reason are shown above.
    .filter(({ text }) => !text.startsWith('Why: '))
    .flatMap(({ tone, text }) => wrapped(toned(tone, text, look), look.width));
  return { lines };
}

/** Why Rondo asks, in one line. The rows of a command with several parts say it themselves. */
export function reasonLine({ about, facts }: OpenQuestion, { paint, width }: Look): readonly string[] {
  if (about.type !== 'approval' && about.type !== 'repeat') return [];
  const rule = about.type === 'approval' && about.rule !== 'default' ? ` (${visibleLine(about.rule)})` : '';
  const title = about.type === 'approval' && about.title !== undefined ? [`"${visibleLine(about.title)}"`] : [];
  const isDanger = facts?.dangers?.some(({ reason }) => reason === about.reason) === true;
  const isInRows =
    about.type === 'approval' && (about.rule === 'default' || isDanger) && partsOf(facts).length > 1;
  const why = isInRows ? [] : [`${capital(visibleLine(reasonText(about.reason)))}${rule}`];
  return [...title, ...why].flatMap((text) => wrapped(paint.ink2(text), width));
}

function changesBody(
  each: readonly CallChange[],
  question: OpenQuestion,
  options: BodyOptions,
  look: Look,
): CardBody {
  const { file } = options;
  const changes = byFile(each);
  const draw = (change: CallChange, count: string) => changeBody(change, { question, options, count }, look);
  if (file === undefined) return { lines: changes.flatMap((change) => draw(change, '')) };
  const shown = Math.max(0, Math.min(file, changes.length - 1));
  const count = changes.length > 1 ? `${shown + 1} of ${changes.length} files` : '';
  return {
    lines: changes.slice(shown, shown + 1).flatMap((change) => draw(change, count)),
    files: { count: changes.length, shown },
    most: mostDiffLines,
  };
}

/** Without the file's content, each edit of it is a change by itself. */
function byFile(changes: readonly CallChange[]): readonly CallChange[] {
  const files = new Map<string, CallChange>();
  for (const change of changes) {
    const { path, lines } = change;
    const before = files.get(path);
    const all = before === undefined ? lines : [...before.lines, { type: 'hunk', text: '' } as const, ...lines];
    files.set(path, { path, lines: all });
  }
  return [...files.values()];
}

interface ChangePlace {
  readonly question: OpenQuestion;
  readonly options: BodyOptions;
  /** The file's position, such as `2/3`. */
  readonly count: string;
}

function changeBody(
  { path, lines }: CallChange,
  { question: { facts, about }, options: { isSideBySide, before }, count }: ChangePlace,
  look: Look,
): readonly string[] {
  const { paint, width } = look;
  const target = facts?.paths?.find((one) => one.path === path) ?? facts?.paths?.[0];
  const place =
    target === undefined || target.inside ? "in the session's folder" : "!! outside the session's folder";
  const isNew = about.type === 'approval' && about.tool === 'write' && before === '';
  const counts = countsText(countedLines(lines), look);
  const head = `${paint.strong(visibleLine(path))}  ${isNew ? `${paint.ink2('new file')}  ` : ''}${counts}`;
  const isBeside = isSideBySide ?? width >= sideBySideFrom - 4;
  // Lines left out before the first change and after the last need no mark.
  const from = lines[0]?.type === 'hunk' ? 1 : 0;
  const leading = lines.slice(from, lines.at(-1)?.type === 'hunk' ? -1 : undefined);
  const full = [count, place].filter(Boolean).join(` ${look.glyphs.dot} `);
  const isOutside = target !== undefined && !target.inside;
  const where = isOutside || visibleWidth(head) + visibleWidth(full) < width ? full : count;
  return [
    spread(head, isOutside ? paint.fail(where) : paint.ink3(where), width),
    ...(target?.sensitive === true ? [paint.warn('!  Holds secrets or settings')] : []),
    ...diffLines(leading, path, look, isBeside),
  ];
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
