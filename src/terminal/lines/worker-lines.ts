/** The panel of workers: waiting ones first, then working, then finished. */
import { ageText } from '../../wording/duration.ts';
import { isEnded, type WorkerLine } from '../chat/worker-rows.ts';
import { cut, padded, spread } from './fit.ts';
import { workerState } from './item-lines.ts';
import { innerWidth, type Look } from './look.ts';

type WorkerLook = Pick<Look, 'paint' | 'width' | 'now' | 'glyphs'>;

const mostShown = 5;

export function workerPanel(rows: readonly WorkerLine[], look: WorkerLook): readonly string[] {
  const { paint, glyphs, now } = look;
  const width = innerWidth(look);
  const live = rows.filter(({ state }) => !isEnded(state));
  // Finished workers alone are part of the conversation already.
  if (live.length === 0) return [];
  const sorted = rows.toSorted((a, b) => rankOf(a) - rankOf(b));
  const waiting = rows.filter(({ question }) => question !== undefined).length;
  const shown = sorted.length > mostShown ? sorted.slice(0, mostShown - 1) : sorted;
  const left = sorted.slice(shown.length);
  const named = Math.min(24, Math.max(...shown.map(({ name }) => name.length)));
  const needs =
    waiting === 0 ? '' : ` ${glyphs.dot} ${paint.need(`${waiting} need${waiting === 1 ? 's' : ''} you`)}`;
  return [
    `  ${paint.strong('Workers')}  ${rows.length}${needs}`,
    ...shown.map((row) => {
      const { glyph, word } =
        row.question === undefined
          ? workerState(row.state, look)
          : { glyph: paint.need(glyphs.need), word: 'needs you' };
      const age = ageText(Math.max(0, (row.until ?? now) - row.since));
      const text = `${glyph} ${padded(cut(row.name, named), named)}  ${paint.ink2(row.text === '' ? word : row.text)}`;
      return spread(cut(text, width - 6), paint.ink3(age), width);
    }),
    ...(left.length > 0
      ? [paint.ink3(`  +${left.length} more, ${left.filter(({ state }) => !isEnded(state)).length} working`)]
      : []),
  ];
}

function rankOf({ question, state }: WorkerLine): number {
  if (question !== undefined) return 0;
  return isEnded(state) ? 2 : 1;
}
