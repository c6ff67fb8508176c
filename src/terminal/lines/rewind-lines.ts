/** The rewind card: prompts at the left, what going back changes at the right, or below on a narrow screen. */
import { optional } from '../../kernel/optional.ts';
import { argumentsOf } from '../../views/call-arguments.ts';
import type { DiffLine } from '../../kernel/line-diff.ts';
import { parseUnifiedDiff } from '../../views/line-diff.ts';
import { oneLine } from '../../views/one-line.ts';
import { changedByOthers, type RewindPoint } from '../../views/rewind-points.ts';
import type { SessionFileChange, SessionChanges } from '../../ports/session-changes.ts';
import { shortClock } from '../../wording/clock.ts';
import { counted } from '../../wording/counted.ts';
import { countsText } from './call-lines.ts';
import { diffLines } from './diff-lines.ts';
import { cut, padded, shortPath, spread, wrapped } from './fit.ts';
import type { Look } from './look.ts';

export interface RewindCard {
  readonly points: readonly RewindPoint[];
  readonly selected: number;
  /** What going back to the selected prompt changes. Undefined while it is read. */
  readonly changes: SessionChanges | undefined;
  readonly isDiffOpen: boolean;
  readonly scroll: number;
}

const besideFrom = 100;
const mostFiles = 6;
const mostCommands = 3;

const rewindChoices = [
  ['Rewind chat and files', 'Puts the prompt back into the composer. Undo with /undo.'],
  ['Rewind chat only', 'Keeps the files as they are now.'],
  ['Restore files only', 'Keeps the conversation.'],
  ['Fork from here', 'Starts a new session with the history so far. This one stays as it is.'],
] as const;

export function rewindLines(card: RewindCard, look: Look, height: number): readonly string[] {
  const { paint, glyphs } = look;
  const width = look.width - 4;
  const bar = (line: string) => `${paint.work(glyphs.bar)} ${cut(line, width + 2)}`.trimEnd();
  if (card.points.length === 0) return [bar('Rewind'), bar(''), bar(paint.ink3('No prompts to go back to'))];
  const choices = rewindChoices.map(([name, does], index) =>
    width < 60 ? `  ${index + 1}  ${name}` : `  ${index + 1}  ${padded(name, 24)}  ${paint.ink2(does)}`,
  );
  const room = Math.max(4, height - choices.length - 2);
  const isBeside = look.width >= besideFrom;
  const half = Math.floor(width / 2) - 2;
  const preview = previewLines(card, { ...look, width: isBeside ? width - half - 3 : width });
  const shownPreview = card.isDiffOpen ? preview.slice(card.scroll) : preview;
  if (!isBeside) {
    const list = listLines(card, { ...look, width }, Math.max(3, Math.floor(room * 0.4)));
    // Without blank lines, the warnings at the end stay in view.
    const dense = card.isDiffOpen ? shownPreview : shownPreview.filter((line) => line !== '');
    const rest = dense.slice(0, Math.max(2, room - list.length - 1));
    return [...list, '', ...rest, '', ...choices].map(bar);
  }
  const list = listLines(card, { ...look, width: half }, room);
  const rows = Math.min(room, Math.max(list.length, shownPreview.length));
  const panes = Array.from(
    { length: rows },
    (_, row) => `${padded(list[row] ?? '', half)} ${paint.rule('│')} ${shownPreview[row] ?? ''}`,
  );
  return [...panes, '', ...choices].map(bar);
}

function listLines({ points, selected }: RewindCard, look: Look, height: number): readonly string[] {
  const { paint, glyphs, width } = look;
  const rows = points.map((point, index) => {
    const isSelected = index === selected;
    const right = `${pointText(point, look)}  ${paint.ink3(shortClock(point.at))}`;
    const left = `${isSelected ? glyphs.prompt : ' '} ${oneLine(look.textOf(point.text))}`;
    const line = spread(cut(left, Math.max(8, width - 18)), right, width);
    return isSelected ? paint.selected(padded(line, width)) : line;
  });
  rows.push(paint.ink3('  (now)'));
  const room = Math.max(1, height - 2);
  const first = Math.max(0, Math.min(selected - Math.floor(room / 2), rows.length - room));
  return [paint.strong('Rewind to before'), '', ...rows.slice(first, first + room)];
}

/** What a command changed shows only in the preview, which compares files. */
function pointText(point: RewindPoint, look: Look): string {
  if (point.added + point.removed > 0) return countsText(point, look);
  const { length } = point.commands;
  return look.paint.ink3(length === 0 ? 'no files' : counted(length, 'command'));
}

function previewLines(card: RewindCard, look: Look): readonly string[] {
  const { points, selected, changes } = card;
  const point = points[selected];
  if (point === undefined) return [];
  const { paint, width } = look;
  const removed = points.slice(selected);
  const steps = removed.reduce((sum, one) => sum + one.steps, 0);
  const head = [
    cut(oneLine(look.textOf(point.text)), width),
    paint.ink2(`Removes ${counted(removed.length, 'prompt')} and ${counted(steps, 'step')}.`),
    '',
  ];
  if (changes === undefined) return [...head, paint.ink3('Comparing files…')];
  if (changes.type === 'unavailable')
    return [...head, ...wrapped(`Files can't be restored: ${changes.message}`, width).map(paint.warn)];
  if (card.isDiffOpen) return [...head, ...changes.changes.flatMap((change) => patchLines(change, look))];
  return [...head, ...fileLines(changes.changes, look), ...checkFirst(removed, changes.changes, look)];
}

function fileLines(changes: readonly SessionFileChange[], look: Look): readonly string[] {
  const { paint, width } = look;
  if (changes.length === 0) return [paint.ink2('No files change back')];
  const shown = changes.slice(0, mostFiles).map((change) => {
    // Going back adds what was removed.
    const counts = countsText({ added: change.removed ?? 0, removed: change.added ?? 0 }, look);
    const word = { added: 'deleted', deleted: 'restored' }[change.status as string] ?? '';
    const right = [paint.ink3(word), counts].filter((part) => part !== '').join('  ');
    return spread(shortPath(change.path, Math.max(10, width - 22)), right, Math.min(width, 56));
  });
  const more = changes.length - shown.length;
  return [
    `${counted(changes.length, 'file')} ${changes.length === 1 ? 'changes' : 'change'} back`,
    ...shown,
    ...(more > 0 ? [paint.ink3(`${counted(more, 'more file')}  D`)] : []),
  ];
}

/** Effects that files can't restore, and changes that didn't come from a call of this session. */
function checkFirst(
  removed: readonly RewindPoint[],
  changes: readonly SessionFileChange[],
  look: Look,
): readonly string[] {
  const { paint, width } = look;
  const commands = removed.flatMap((point) => point.commands);
  const ran = commands.slice(0, mostCommands).map(({ args, at }) => {
    const command = argumentsOf(look.textOf(args))?.['command'];
    return `${oneLine(typeof command === 'string' ? command : 'A command')} ran at ${shortClock(at)}. Its effects elsewhere stay.`;
  });
  const more = commands.length - ran.length;
  const paths = removed.flatMap((point) => point.paths);
  const others = changedByOthers({ paths, commands }, changes).slice(0, mostCommands);
  const lines = [
    ...ran,
    ...(more > 0 ? [`${counted(more, 'more command')} ran.`] : []),
    ...others.map(({ path }) => `${path} was changed outside this session. Rondo keeps it as a checkpoint.`),
  ];
  if (lines.length === 0) return [];
  return [
    '',
    `${paint.warn('!')} ${paint.strong('Check first')}`,
    ...lines.flatMap((line) => wrapped(line, width, '  ')).map((line) => paint.ink2(line)),
  ];
}

/** The changes that a rewind makes: it removes lines that were added since. */
function patchLines({ path, patch = '' }: SessionFileChange, look: Look): readonly string[] {
  const lines = parseUnifiedDiff(patch).flatMap((file) => file.lines);
  const leading = lines[0]?.type === 'hunk' ? lines.slice(1) : lines;
  return [look.paint.strong(shortPath(path, look.width)), ...diffLines(goingBack(leading), path, look, false), ''];
}

/** Removed lines stand before added ones, as in any diff. */
function goingBack(lines: readonly DiffLine[]): readonly DiffLine[] {
  const back: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const { type, text, before, after } of lines) {
    const numbers = optional({ before: after, after: before });
    if (type === 'removed') added.push({ type: 'added', text, ...numbers });
    else if (type === 'added') back.push({ type: 'removed', text, ...numbers });
    else {
      back.push(...added, { type, text, ...numbers });
      added = [];
    }
  }
  return [...back, ...added];
}
