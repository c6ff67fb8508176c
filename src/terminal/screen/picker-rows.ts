/** The rows of a list as lines: label, detail and further columns, each aligned over all rows. */
import { visibleWidth } from '@earendil-works/pi-tui';

import { cut, padded, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

export interface PickerRow {
  /** A shape, already painted. */
  readonly glyph?: string;
  readonly label: string;
  /** Takes the room that the columns leave. */
  readonly detail?: string;
  /** Aligned at the right of the details. */
  readonly columns?: readonly PickerColumn[];
  readonly note?: string;
  /** Rows with the same group stand together, below its name. */
  readonly group?: string;
}

interface PickerColumn {
  readonly text: string;
  readonly isNumber?: true;
}

interface DrawnRow {
  readonly line: string;
  /** Undefined for a group's name. */
  readonly index?: number;
}

interface RowsOfPicker<Row> {
  readonly rows: readonly Row[];
  readonly selected: number;
  readonly rowOf: (row: Row, look: Look) => PickerRow;
  readonly isCurrent?: (row: Row) => boolean;
  readonly isWide?: true;
}

export function drawnRows<Row>(
  { rows, selected, rowOf, isCurrent, isWide }: RowsOfPicker<Row>,
  look: Look,
): readonly DrawnRow[] {
  const { paint, width, glyphs } = look;
  const shown = rows.map((row) => rowOf(row, look));
  const widths = Array.from({ length: Math.max(0, ...shown.map(({ columns = [] }) => columns.length)) }, (_, at) =>
    widest(shown.map(({ columns = [] }) => columns[at]?.text ?? '')),
  );
  const noted = widest(shown.map(({ note = '' }) => note));
  const currentWords = `${glyphs.done} current`;
  const isMarked = (row: Row | undefined) => row !== undefined && isCurrent?.(row) === true;
  const marked = rows.some(isMarked) ? visibleWidth(currentWords) : 0;
  const beside = [...widths, noted, marked].filter((wide) => wide > 0).reduce((sum, wide) => sum + wide + 2, 0);
  const hasDetail = shown.some(({ detail = '' }) => detail !== '');
  const free = Math.max(12, width - beside - 4);
  const most = isWide === true || !hasDetail ? free : Math.min(free, Math.floor(width / 3));
  const labelled = Math.min(
    most,
    widest(shown.map(({ label, glyph }) => `${label}${glyph === undefined ? '' : '  '}`)),
  );
  let group: string | undefined;
  return shown.flatMap(
    ({ glyph, label, detail = '', columns = [], note = '', group: own }, index): readonly DrawnRow[] => {
      const mark = glyph === undefined ? '' : `${glyph} `;
      const name = padded(cut(`${mark}${label}`, labelled), labelled);
      const cells = [
        ...widths.flatMap((wide, at) => (wide === 0 ? [] : [paint.ink2(aligned(columns[at], wide))])),
        ...(marked === 0 ? [] : [isMarked(rows[index]) ? paint.done(currentWords) : ' '.repeat(marked)]),
      ].join('  ');
      const end = noted === 0 ? '' : paint.ink3(note.padStart(noted));
      const start = `${index === selected ? glyphs.prompt : ' '} ${name}`;
      // With details between them, the columns stand at the right; else they follow the names.
      const line = hasDetail
        ? spread(
            cut(`${start}  ${paint.ink2(detail)}`, width - beside),
            [cells, end].filter((part) => part !== '').join('  '),
            width,
          )
        : spread(`${start}  ${cells}`, end, width);
      const head = own === group || own === undefined ? [] : [{ line: paint.ink3(own) }];
      group = own;
      return [...head, { line: index === selected ? paint.selected(padded(line, width)) : line, index }];
    },
  );
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => visibleWidth(text)));
}

function aligned(column: PickerColumn | undefined, width: number): string {
  const { text = '', isNumber } = column ?? {};
  const gap = ' '.repeat(Math.max(0, width - visibleWidth(text)));
  return isNumber === true ? `${gap}${text}` : `${text}${gap}`;
}
