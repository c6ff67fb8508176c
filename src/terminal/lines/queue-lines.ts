import type { Status } from '../../views/status.ts';
import { printable } from '../../views/printable.ts';
import { cut, wrapped } from './fit.ts';
import type { Look } from './look.ts';

const mostShown = 3;

/** Unconfirmed lines in full, because the user may have to send them again by hand. */
export function unsentLines(
  unsent: readonly string[],
  { paint, width }: Pick<Look, 'paint' | 'width'>,
): readonly string[] {
  return unsent.flatMap((text) => wrapped(printable(text), width, `${paint.warning('◌ not sent yet')} `, '  '));
}

/** Queued prompts, and how to change them. */
export function queueLines(
  { queue }: Status,
  editing: number | undefined,
  { paint, width }: Pick<Look, 'paint' | 'width'>,
): readonly string[] {
  const { prompts, paused } = queue;
  if (prompts.length === 0) return [];
  const rows = prompts.slice(0, mostShown).map(({ prompt, preview, by }) => {
    const who = by.name === 'terminal' ? '' : ` — ${by.name}`;
    const mark = prompt === editing ? paint.accent('✎') : paint.quiet('⧗');
    return cut(`${mark} ${paint.quiet(`${preview}${who}`)}`, width);
  });
  const more = prompts.length > mostShown ? [paint.quiet(`… and ${prompts.length - mostShown} more`)] : [];
  const how = paused
    ? paint.warning('The queue is paused · enter resumes · alt+↑ edits')
    : paint.quiet('alt+↑ edits');
  return [...rows, ...more, cut(how, width)];
}
