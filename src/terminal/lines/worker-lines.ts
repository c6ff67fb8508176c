/** The panel of workers: waiting ones first, then working, then finished. */
import { tokensText } from '../../wording/amount.ts';
import { costText } from '../../wording/cost.ts';
import { ageText } from '../../wording/duration.ts';
import { isEnded, type WorkerLine } from '../chat/worker-rows.ts';
import { cut, padded, spread } from './fit.ts';
import { workerState } from './item-lines.ts';
import { innerWidth, type Look } from './look.ts';

type WorkerLook = Pick<Look, 'paint' | 'width' | 'now' | 'glyphs'>;

const mostShown = 5;
/** Wide enough for the cost and tokens of each worker. */
const wideFrom = 100;
const costColumn = 10;
const tokensColumn = 14;

/** On a low screen only its heading is drawn, without the sum. */
export function workerPanel(
  rows: readonly WorkerLine[],
  look: WorkerLook,
  { isTall = true }: { readonly isTall?: boolean } = {},
): readonly string[] {
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
  const heading = `  ${paint.strong('Workers')}  ${rows.length}${needs}`;
  const isWide = look.width >= wideFrom;
  const sum = usedText(
    rows.flatMap(({ used }) => used ?? []),
    { isWide, dot: glyphs.dot },
  );
  return [
    isTall && sum !== '' ? spread(heading, paint.ink3(sum), width) : heading,
    ...shown.map((row) => {
      const { glyph, word } =
        row.question === undefined
          ? workerState(row.state, look)
          : { glyph: paint.need(glyphs.need), word: 'needs you' };
      const age = ageText(Math.max(0, (row.until ?? now) - row.since));
      const text = `${glyph} ${padded(cut(row.name, named), named)}  ${paint.ink2(row.text === '' ? word : row.text)}`;
      const right = isWide ? `${age}${usedColumns(row)}` : age;
      return spread(cut(text, width - right.length - 2), paint.ink3(right), width);
    }),
    ...(left.length > 0
      ? [paint.ink3(`  +${left.length} more, ${left.filter(({ state }) => !isEnded(state)).length} working`)]
      : []),
  ];
}

function usedColumns({ used }: WorkerLine): string {
  if (used === undefined) return ''.padStart(costColumn + tokensColumn);
  return `${costText(used).padStart(costColumn)}${tokensText(used.tokens).padStart(tokensColumn)}`;
}

/** What all workers used. A narrow screen shows only the cost. */
function usedText(
  used: readonly NonNullable<WorkerLine['used']>[],
  { isWide, dot }: { readonly isWide: boolean; readonly dot: string },
): string {
  if (used.length === 0) return '';
  const cost = costText({
    cost: used.reduce((sum, one) => sum + one.cost, 0),
    costIsKnown: used.every(({ costIsKnown }) => costIsKnown),
  });
  const tokens = used.reduce((sum, one) => sum + one.tokens, 0);
  return isWide ? `${cost} ${dot} ${tokensText(tokens)}` : cost;
}

function rankOf({ question, state }: WorkerLine): number {
  if (question !== undefined) return 0;
  return isEnded(state) ? 2 : 1;
}
