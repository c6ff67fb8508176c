/** A searchable list: rows, a selection, keys. Pure: the caller keeps the state. */
import { cut, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

export interface ChoiceList<Row> {
  readonly title: string;
  readonly hint: string;
  readonly words: string;
  readonly rows: readonly Row[];
  readonly selected: number;
}

export function newChoiceList<Row>(title: string, hint: string, words = ''): ChoiceList<Row> {
  return { title, hint, words, rows: [], selected: 0 };
}

export function withRows<Row>(list: ChoiceList<Row>, rows: readonly Row[]): ChoiceList<Row> {
  return { ...list, rows, selected: Math.max(0, Math.min(list.selected, rows.length - 1)) };
}

export function moved<Row>(list: ChoiceList<Row>, by: number): ChoiceList<Row> {
  const last = Math.max(0, list.rows.length - 1);
  return { ...list, selected: Math.max(0, Math.min(last, list.selected + by)) };
}

export interface ChoiceRow {
  readonly left: string;
  readonly right: string;
}

export function choiceLines<Row>(
  list: ChoiceList<Row>,
  rowOf: (row: Row) => ChoiceRow,
  { paint, width, height }: Pick<Look, 'paint' | 'width'> & { readonly height: number },
): readonly string[] {
  const room = Math.max(1, height - 4);
  const first = Math.max(0, Math.min(list.selected - Math.floor(room / 2), list.rows.length - room));
  const inner = width - 6;
  const rows = list.rows.slice(first, first + room).map((row, index) => {
    const { left, right } = rowOf(row);
    const isSelected = first + index === list.selected;
    const line = spread(cut(left, Math.max(8, inner - 12)), paint.quiet(right), inner);
    return `${isSelected ? paint.accent('❯') : ' '} ${isSelected ? paint.strong(line) : line}`;
  });
  const empty = list.rows.length === 0 ? [paint.quiet('  no matches')] : [];
  const boxed = (line: string) => {
    const shown = cut(line, width - 4);
    return `${paint.quiet('│')} ${spread(shown, ' ', width - 4)} ${paint.quiet('│')}`;
  };
  const edge = (left: string, right: string) =>
    paint.quiet(`${left}${'─'.repeat(Math.max(0, width - 2))}${right}`);
  return [
    edge('┌', '┐'),
    boxed(`${paint.strong(list.title)} ${list.words === '' ? '' : paint.accent(list.words)}`),
    ...rows.map(boxed),
    ...empty.map(boxed),
    boxed(paint.quiet(list.hint)),
    edge('└', '┘'),
  ];
}
