/** A searchable list in a card: rows in groups, one selection, a preview. Its keys never reach the prompt. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import { cut, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import { pastedText } from '../chat/pasted-text.ts';
import type { KeyState } from './key-hints.ts';
import { drawnRows, type PickerRow } from './picker-rows.ts';

export interface PickerOptions<Row> {
  readonly title: string;
  /** Placeholder: what the search finds. */
  readonly searches?: string;
  /** At the right of the title. */
  readonly note?: (rows: readonly Row[], look: Look) => string;
  readonly words?: string;
  readonly hints: KeyState;
  /** Shown until the first load ends. */
  readonly known?: readonly Row[];
  readonly load: (words: string) => Promise<readonly Row[]>;
  readonly rowOf: (row: Row, look: Look) => PickerRow;
  readonly isCurrent?: (row: Row) => boolean;
  /** The row that is selected first. Default: the current one. */
  readonly startsAt?: (row: Row) => boolean;
  /** With it, the selection stays on its row while the list changes. */
  readonly keyOf?: (row: Row) => string;
  readonly preview?: (row: Row, look: Look) => readonly string[];
  /** The selection moved, also to no row. */
  readonly onSelect?: (row: Row | undefined) => void;
  /** Enter. The picker closes first. */
  readonly choose: (row: Row) => void;
  /** Other keys. True if it was handled. */
  readonly onKey?: (data: string, row: Row | undefined, hands: PickerHands) => boolean;
  readonly everyMs?: number;
  /** Labels take the whole width. */
  readonly isWide?: true;
  readonly onClose?: () => void;
}

/** What a key of the list can do with it. */
export interface PickerHands {
  reload(): void;
  close(): void;
  /** Asks for a line of text in the place of the search. Esc takes the question back. */
  ask(question: Asking): void;
}

interface Asking {
  readonly label: string;
  readonly text: string;
  readonly take: (text: string) => void;
}

export interface Picker {
  readonly hints: KeyState;
  /** `height`: what a card usually takes. `room`: the rows that there are. */
  lines(look: Look, height: number, room: number): readonly string[];
  /** `isRepeated`: the terminal says that the key is held. */
  handle(data: string, isRepeated?: boolean): void;
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
  let asking: Asking | undefined;
  /** The next rows answer a changed search: the first is selected. */
  let isSearching = false;

  function become(found: readonly Row[]): void {
    if (rows === undefined) {
      const starts = options.startsAt ?? options.isCurrent;
      selected = Math.max(
        0,
        found.findIndex((row) => starts?.(row) === true),
      );
    }
    const { keyOf } = options;
    const held = rows?.[selected];
    const at =
      held === undefined || keyOf === undefined ? -1 : found.findIndex((row) => keyOf(row) === keyOf(held));
    rows = found;
    select(at < 0 || isSearching ? selected : at);
    isSearching = false;
  }
  function load(): void {
    const wanted = words;
    options
      .load(wanted)
      .then((found) => {
        if (wanted !== words) return;
        become(found);
        place.changed();
      })
      .catch(place.onProblem);
  }
  function select(index: number): void {
    selected = Math.max(0, Math.min((rows?.length ?? 1) - 1, index));
    options.onSelect?.(rows?.[selected]);
  }
  const timer = options.everyMs === undefined ? undefined : setInterval(load, options.everyMs);
  timer?.unref();
  if (options.known !== undefined && words === '') become(options.known);
  load();

  function close(): void {
    clearInterval(timer);
    options.onClose?.();
    place.closed();
  }
  function search(next: string): void {
    words = next;
    selected = 0;
    isSearching = true;
    load();
  }
  const hands: PickerHands = {
    reload: load,
    close,
    ask: (question) => (asking = question),
  };

  function answer(data: string, question: Asking): void {
    const { text, take } = question;
    if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c'))) asking = undefined;
    else if (matchesKey(data, Key.enter)) {
      asking = undefined;
      if (text.trim() !== '') take(text.trim());
    } else asking = { ...question, text: edited(text, data) ?? text };
  }

  return {
    get hints() {
      return asking === undefined ? options.hints : 'asking';
    },
    close,
    handle(data) {
      const row = rows?.[selected];
      if (asking !== undefined) {
        answer(data, asking);
        return place.changed();
      }
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c'))) return close();
      if (matchesKey(data, Key.up)) select(selected - 1);
      else if (matchesKey(data, Key.down)) select(selected + 1);
      else if (matchesKey(data, Key.pageUp)) select(selected - 10);
      else if (matchesKey(data, Key.pageDown)) select(selected + 10);
      else if (matchesKey(data, Key.enter)) {
        if (row === undefined) return;
        close();
        options.choose(row);
      } else if (options.onKey?.(data, row, hands) !== true) {
        const next = edited(words, data);
        if (next !== undefined && next !== words) search(next);
      }
      place.changed();
    },
    lines(look, height) {
      const { paint, glyphs } = look;
      const inner: Look = { ...look, width: look.width - 4 };
      const found = rows ?? [];
      const row = found[selected];
      const drawn = drawnRows({ ...options, rows: found, selected }, inner);
      // On a low screen the rows come first.
      const spare = height - 4 - Math.min(drawn.length, Math.max(4, height - 8));
      const preview = row === undefined ? [] : (options.preview?.(row, inner) ?? []).slice(0, Math.max(0, spare));
      const room = Math.max(3, height - 3 - (preview.length === 0 ? 0 : preview.length + 1));
      const at = drawn.findIndex(({ index }) => index === selected);
      const first = Math.max(0, Math.min(at - Math.floor(room / 2), drawn.length - room));
      const note = rows === undefined ? '' : (options.note?.(found, inner) ?? '');
      const search = words === '' ? paint.ink3(options.searches ?? 'type to search') : paint.work(words);
      const head =
        asking === undefined
          ? spread(`${paint.strong(options.title)}  ${search}`, paint.ink3(note), inner.width)
          : `${paint.strong(asking.label)}  ${asking.text}${paint.reversed(' ')}`;
      const lines = [
        head,
        '',
        ...drawn.slice(first, first + room).map(({ line }) => line),
        ...(rows !== undefined && found.length === 0
          ? [paint.ink3(words === '' ? '  Nothing here' : '  No matches')]
          : []),
        ...(preview.length === 0 ? [] : ['', ...preview]),
      ];
      return lines.map((line) => `${paint.work(glyphs.bar)} ${cut(line, inner.width)}`.trimEnd());
    },
  };
}

const graphemes = new Intl.Segmenter();

/** The text after a key. Undefined if the key doesn't edit. */
function edited(text: string, data: string): string | undefined {
  if (matchesKey(data, Key.backspace))
    return [...graphemes.segment(text)]
      .slice(0, -1)
      .map(({ segment }) => segment)
      .join('');
  if (matchesKey(data, Key.ctrl('u'))) return '';
  const typed = pastedText(data)?.replaceAll('\n', ' ') ?? data;
  return /^[^\p{Cc}]+$/u.test(typed) ? text + typed : undefined;
}
