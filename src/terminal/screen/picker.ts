/** A searchable list in a card: rows in groups, one selection, a preview. Its keys never reach the prompt. */
import { Key, matchesKey, visibleWidth } from '@earendil-works/pi-tui';

import { cut, padded, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { KeyState } from './key-hints.ts';

export interface PickerRow {
  /** A shape, already painted. */
  readonly glyph?: string;
  readonly label: string;
  readonly detail?: string;
  readonly note?: string;
  /** Rows with the same group stand together, below its name. */
  readonly group?: string;
}

export interface PickerOptions<Row> {
  readonly title: string;
  /** At the right of the title. */
  readonly note?: (rows: readonly Row[]) => string;
  readonly words?: string;
  readonly hints: KeyState;
  readonly load: (words: string) => Promise<readonly Row[]>;
  readonly rowOf: (row: Row, look: Look) => PickerRow;
  readonly isCurrent?: (row: Row) => boolean;
  readonly preview?: (row: Row, look: Look) => readonly string[];
  /** Enter. The picker closes first. */
  readonly choose: (row: Row) => void;
  /** Other keys. True if it was handled. */
  readonly onKey?: (data: string, row: Row | undefined) => boolean;
  readonly everyMs?: number;
  /** Labels take the whole width. */
  readonly isWide?: true;
}

export interface Picker {
  readonly hints: KeyState;
  lines(look: Look, height: number): readonly string[];
  handle(data: string): void;
  close(): void;
}

export interface PickerPlace {
  readonly changed: () => void;
  readonly closed: () => void;
  readonly onProblem: (error: unknown) => void;
}

export function createPicker<Row>(options: PickerOptions<Row>, place: PickerPlace): Picker {
  let words = options.words ?? '';
  let rows: readonly Row[] | undefined;
  let selected = 0;

  function load(): void {
    const wanted = words;
    options
      .load(wanted)
      .then((found) => {
        if (wanted !== words) return;
        if (rows === undefined)
          selected = Math.max(
            0,
            found.findIndex((row) => options.isCurrent?.(row) === true),
          );
        rows = found;
        selected = Math.max(0, Math.min(selected, found.length - 1));
        place.changed();
      })
      .catch(place.onProblem);
  }
  const timer = options.everyMs === undefined ? undefined : setInterval(load, options.everyMs);
  timer?.unref();
  load();

  function close(): void {
    clearInterval(timer);
    place.closed();
  }
  function search(next: string): void {
    words = next;
    selected = 0;
    load();
  }
  const move = (by: number) => {
    selected = Math.max(0, Math.min((rows?.length ?? 1) - 1, selected + by));
  };

  return {
    hints: options.hints,
    close,
    handle(data) {
      const row = rows?.[selected];
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c'))) return close();
      if (matchesKey(data, Key.up)) move(-1);
      else if (matchesKey(data, Key.down)) move(1);
      else if (matchesKey(data, Key.pageUp)) move(-10);
      else if (matchesKey(data, Key.pageDown)) move(10);
      else if (matchesKey(data, Key.enter)) {
        if (row === undefined) return;
        close();
        options.choose(row);
      } else if (options.onKey?.(data, row) === true) load();
      else if (matchesKey(data, Key.backspace)) search(words.slice(0, -1));
      else if (/^[^\p{Cc}]+$/u.test(data)) search(words + data);
      place.changed();
    },
    lines(look, height) {
      const { paint, glyphs } = look;
      const inner: Look = { ...look, width: look.width - 4 };
      const found = rows ?? [];
      const row = found[selected];
      const preview = row === undefined ? [] : (options.preview?.(row, inner) ?? []);
      const room = Math.max(3, height - 3 - (preview.length === 0 ? 0 : preview.length + 1));
      const drawn = drawnRows(found, options, selected, inner);
      const at = drawn.findIndex(({ index }) => index === selected);
      const first = Math.max(0, Math.min(at - Math.floor(room / 2), drawn.length - room));
      const note = rows === undefined ? '' : (options.note?.(found) ?? '');
      const search = words === '' ? paint.ink3('type to search') : paint.work(words);
      const lines = [
        spread(`${paint.strong(options.title)}  ${search}`, paint.ink3(note), inner.width),
        '',
        ...drawn.slice(first, first + room).map(({ line }) => line),
        ...(rows !== undefined && found.length === 0 ? [paint.ink3('  No matches')] : []),
        ...(preview.length === 0 ? [] : ['', ...preview]),
      ];
      return lines.map((line) => `${paint.work(glyphs.bar)} ${line}`.trimEnd());
    },
  };
}

interface DrawnRow {
  readonly line: string;
  /** Undefined for a group's name. */
  readonly index?: number;
}

function drawnRows<Row>(
  rows: readonly Row[],
  { rowOf, isCurrent, isWide }: PickerOptions<Row>,
  selected: number,
  look: Look,
): readonly DrawnRow[] {
  const { paint, width, glyphs } = look;
  const shown = rows.map((row) => rowOf(row, look));
  const most = isWide === true ? width - 4 : Math.floor(width / 3);
  const labelled = Math.min(most, Math.max(0, ...shown.map(({ label }) => visibleWidth(label))));
  let group: string | undefined;
  return shown.flatMap(({ glyph, label, detail = '', note = '', group: own }, index): readonly DrawnRow[] => {
    const row = rows[index];
    const current = row !== undefined && isCurrent?.(row) === true ? paint.done(`${glyphs.done} current`) : '';
    const start = `${index === selected ? glyphs.prompt : ' '} ${glyph === undefined ? '' : `${glyph} `}`;
    const left = `${start}${padded(cut(label, labelled), labelled)}  ${paint.ink2(detail)}`;
    const right = [current, paint.ink3(note)].filter((part) => part !== '').join('  ');
    const line = spread(cut(left, Math.max(12, width - visibleWidth(right) - 1)), right, width);
    const head = own === group || own === undefined ? [] : [{ line: paint.ink3(own) }];
    group = own;
    return [...head, { line: index === selected ? paint.selected(padded(line, width)) : line, index }];
  });
}
