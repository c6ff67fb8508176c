/** A long text in a card that scrolls in place: a pasted text, or one opened block of the conversation. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import { counted } from '../../wording/counted.ts';
import { cut, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { Picker, PickerPlace } from './picker.ts';

export interface ViewedText {
  readonly title: string;
  /** Its lines at a width. */
  readonly lines: (look: Look) => readonly string[];
  /** `c` copies it. */
  readonly copy?: () => void;
}

const pageLines = 10;

export function createTextViewer({ title, lines, copy }: ViewedText, place: PickerPlace): Picker {
  let scroll = 0;
  return {
    hints: copy === undefined ? 'viewer' : 'block',
    close: place.closed,
    handle(data) {
      const letter = data.toLowerCase();
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c')) || letter === 'q') return place.closed();
      if (matchesKey(data, Key.down) || letter === 'j') scroll += 1;
      else if (matchesKey(data, Key.up) || letter === 'k') scroll -= 1;
      else if (matchesKey(data, Key.pageDown) || data === ' ') scroll += pageLines;
      else if (matchesKey(data, Key.pageUp)) scroll -= pageLines;
      else if (matchesKey(data, Key.home) || data === 'g') scroll = 0;
      else if (matchesKey(data, Key.end) || data === 'G') scroll = Number.MAX_SAFE_INTEGER;
      else if (letter === 'c') copy?.();
      scroll = Math.max(0, scroll);
      place.changed();
    },
    lines(look, height) {
      const { paint, glyphs } = look;
      const inner: Look = { ...look, width: look.width - 4 };
      const all = lines(inner);
      const room = Math.max(3, height - 3);
      scroll = Math.max(0, Math.min(scroll, all.length - room));
      const end = Math.min(all.length, scroll + room);
      const where = all.length <= room ? counted(all.length, 'line') : `${scroll + 1}–${end} of ${all.length}`;
      return [
        spread(paint.strong(cut(title, inner.width - 20)), paint.ink3(where), inner.width),
        '',
        ...all.slice(scroll, end).map((line) => cut(line, inner.width)),
      ].map((line) => `${paint.work(glyphs.bar)} ${line}`.trimEnd());
    },
  };
}
