/** Workers, next to the conversation if there is room, otherwise below it. */
import { durationText } from '../../wording/duration.ts';
import { cut, wrapped } from './fit.ts';
import type { Look } from './look.ts';
import { isEnded, type WorkerRow } from '../chat/worker-rows.ts';

/** The minimum width for a side panel. */
export const panelFrom = 110;
export const panelWidth = 36;

type WorkerLook = Pick<Look, 'paint' | 'width' | 'now'>;

export function panelLines(rows: readonly WorkerRow[], look: WorkerLook): readonly string[] {
  const { paint, width } = look;
  const live = rows.filter(({ state }) => !isEnded(state)).length;
  return [
    paint.strong(`Workers (${live})`),
    ...rows.flatMap((row) => {
      const style = row.state === 'failed' || row.state === 'stalled' ? paint.error : paint.quiet;
      const text = row.text === '' ? [] : wrapped(row.text, width, '  ').slice(0, 3).map(style);
      return [cut(headOf(row, look), width), ...text];
    }),
  ].map((line) => cut(line, width));
}

/** One line each, only for active and failed workers. */
export function workerList(rows: readonly WorkerRow[], look: WorkerLook): readonly string[] {
  const shown = rows.filter(({ state }) => !isEnded(state) || state === 'failed').slice(-4);
  return shown.map((row) => cut(`${headOf(row, look)} ${look.paint.quiet(row.text)}`.trimEnd(), look.width));
}

function headOf({ name, state, since, until, question }: WorkerRow, { paint, now }: WorkerLook): string {
  const style = paint.named(name);
  const words = question === undefined ? wordsFor[state] : 'asks';
  const tone =
    state === 'failed' || state === 'stalled' ? paint.error : question === undefined ? paint.quiet : paint.warning;
  return `${style('◆')} ${style(name)} ${tone(words)} ${paint.quiet(durationText(Math.max(0, (until ?? now) - since)))}`;
}

const wordsFor: Readonly<Record<WorkerRow['state'], string>> = {
  spawned: 'working',
  progressed: 'working',
  completed: 'done',
  failed: 'failed',
  stalled: 'stalled',
  cancelled: 'cancelled',
};
