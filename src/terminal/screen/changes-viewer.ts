/** The session's changes in a card: one file at a time, with line numbers and changed words. It scrolls in place. */
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { SessionFileChange } from '../../ports/session-changes.ts';
import { parseUnifiedDiff } from '../../views/line-diff.ts';
import { counted } from '../../wording/counted.ts';
import { countsText } from '../lines/call-lines.ts';
import { diffLines, sideBySideFrom } from '../lines/diff-lines.ts';
import { cut, shortPath, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { Picker, PickerPlace } from './picker.ts';

const pageLines = 10;

export function createChangesViewer(changes: readonly SessionFileChange[], place: PickerPlace): Picker {
  let file = 0;
  let scroll = 0;
  let isSideBySide: boolean | undefined;
  const move = (by: number) => {
    file = Math.max(0, Math.min(changes.length - 1, file + by));
    scroll = 0;
  };

  return {
    hints: 'changes',
    close: place.closed,
    handle(data) {
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c')) || data.toLowerCase() === 'q')
        return place.closed();
      if (data === ']' || matchesKey(data, Key.right)) move(1);
      else if (data === '[' || matchesKey(data, Key.left)) move(-1);
      else if (matchesKey(data, Key.down)) scroll += 1;
      else if (matchesKey(data, Key.up)) scroll -= 1;
      else if (matchesKey(data, Key.pageDown) || data === ' ') scroll += pageLines;
      else if (matchesKey(data, Key.pageUp)) scroll -= pageLines;
      else if (data.toLowerCase() === 'v') isSideBySide = !(isSideBySide ?? false);
      scroll = Math.max(0, scroll);
      place.changed();
    },
    lines(look, height) {
      const { paint, glyphs } = look;
      const inner: Look = { ...look, width: look.width - 4 };
      const bar = (line: string) => `${paint.work(glyphs.bar)} ${line}`.trimEnd();
      const total = `${paint.strong('Changes')}  ${counted(changes.length, 'file')}  ${countsText(sumOf(changes), look)}`;
      const change = changes[file];
      if (change === undefined) return [total, '', paint.ink3('No changes in this session')].map(bar);
      const body = bodyOf(change, inner, isSideBySide ?? look.width >= sideBySideFrom);
      const room = Math.max(3, height - 4);
      scroll = Math.max(0, Math.min(scroll, body.length - room));
      const below = body.length - scroll - room;
      const name = `${shortPath(change.path, Math.max(12, inner.width - 40))}  ${countsText(counts(change), look)}`;
      const where = paint.ink3(`${file + 1} of ${changes.length}  ${change.status}`);
      return [
        total,
        spread(name, where, inner.width),
        '',
        ...body.slice(scroll, scroll + room).map((line) => cut(line, inner.width + 2)),
        ...(below > 0 ? [paint.ink3(`${glyphs.more} ${counted(below, 'more line')}`)] : []),
      ].map(bar);
    },
  };
}

function counts({ added = 0, removed = 0 }: SessionFileChange) {
  return { added, removed };
}

function sumOf(changes: readonly SessionFileChange[]) {
  return {
    added: changes.reduce((sum, change) => sum + counts(change).added, 0),
    removed: changes.reduce((sum, change) => sum + counts(change).removed, 0),
  };
}

function bodyOf({ path, patch = '' }: SessionFileChange, look: Look, isSideBySide: boolean): readonly string[] {
  const lines = parseUnifiedDiff(patch).flatMap((one) => one.lines);
  return lines.length === 0 ? [look.paint.ink3('No text to show')] : diffLines(lines, path, look, isSideBySide);
}
