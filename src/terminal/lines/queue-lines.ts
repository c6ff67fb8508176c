/** Steering first, then queued prompts. They share no glyph, color or place. */
import type { Status } from '../../views/status.ts';
import { printable } from '../../views/printable.ts';
import { isViewer, personName } from '../../wording/viewer.ts';
import { oneLine } from '../../views/one-line.ts';
import { cut, padded, spread, wrapped } from './fit.ts';
import { innerWidth, type Look } from './look.ts';

const mostShown = 5;
/** Narrower screens show the keys below the footer only. */
const keysFrom = 80;

type QueueLook = Pick<Look, 'paint' | 'width' | 'glyphs'>;

/** Unconfirmed lines in full, because the user may have to send them again by hand. */
export function unsentLines(unsent: readonly string[], look: QueueLook): readonly string[] {
  const { paint, glyphs } = look;
  const note = paint.warn('not sent yet');
  return unsent.flatMap((text) => {
    const [first = '', ...rest] = wrapped(
      printable(text),
      innerWidth(look) - 18,
      `${paint.warn(glyphs.unknown)} `,
      '  ',
    );
    return [spread(first, note, innerWidth(look)), ...rest];
  });
}

/** The prompt that is being edited, and the one that the user chose. */
interface QueueMarks {
  readonly editing: number | undefined;
  readonly selected: number | undefined;
}

/** Queued prompts, and how to change them. */
export function queueLines(
  { queue, doing, turn }: Pick<Status, 'queue' | 'doing' | 'turn'>,
  { editing, selected }: QueueMarks,
  look: QueueLook & Pick<Look, 'self'>,
): readonly string[] {
  const { paint, glyphs } = look;
  const { prompts, paused } = queue;
  if (prompts.length === 0) return [];
  const steered = prompts.filter(({ delivery }) => delivery === 'steer');
  const queued = prompts.filter(({ delivery }) => delivery !== 'steer');
  const width = innerWidth(look);
  const row = (mark: string, { prompt, preview, by }: (typeof prompts)[number], note: string) => {
    const who = isViewer(look.self, by.name) ? '' : `${personName(by.name)} ${glyphs.dot} `;
    const keys = prompt === selected && width >= keysFrom ? '  Enter edit  Del remove  S steer  [ ] move' : '';
    const end = prompt === editing ? 'editing  Enter save  empty removes' : `${who}${note}${keys}`;
    const text = `${mark} ${oneLine(preview)}`;
    const shown = prompt === editing ? paint.work(text) : text;
    const line = spread(cut(shown, Math.max(12, width - end.length - 2)), paint.ink3(end), width);
    return prompt === selected ? paint.selected(padded(line, width)) : line;
  };
  const joins =
    turn === undefined
      ? 'joins the next turn'
      : doing.some(({ words }) => words.startsWith('running shell'))
        ? 'joins when the running command ends'
        : 'joins at the next step';
  const rows = [
    ...steered.map((prompt) => row(paint.work(glyphs.steer), prompt, `steer ${glyphs.dot} ${joins}`)),
    ...queued.map((prompt, index) => row(paint.ink3(`${index + 1}`), prompt, 'queued')),
  ];
  const left = rows.length - mostShown;
  return [
    ...rows.slice(0, mostShown),
    ...(left > 0 ? [paint.ink3(`  ${left} more`)] : []),
    ...(paused
      ? [
          `${paint.warn('!')} ${queued.length + steered.length} queued ${glyphs.dot} paused  ${paint.ink2('Enter resume')}`,
        ]
      : []),
  ];
}
