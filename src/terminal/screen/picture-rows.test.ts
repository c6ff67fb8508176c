import {
  ScrollView,
  setCapabilities,
  resetCapabilitiesCache,
  TuiAltScreen,
  VStack,
  type Terminal,
} from '@earendil-works/pi-tui';
import { afterEach, expect, test, vi } from 'vitest';

import { pngOf } from '../../../test/fixtures/png.ts';
import { createPictures } from '../lines/pictures.ts';

afterEach(() => resetCapabilitiesCache());

const rows = 6;

/** A terminal that keeps what is in each row, as iTerm2 does: erasing a row erases the part of a picture in it. */
function createScreen() {
  let shown = Array.from({ length: rows }, () => '');
  const written: string[] = [];
  const terminal: Terminal = {
    start: () => undefined,
    stop: () => undefined,
    drainInput: () => Promise.resolve(),
    write(data) {
      written.push(data);
      for (const [, clear, row, content = ''] of data.matchAll(steps)) {
        if (clear !== undefined) shown = shown.map(() => '');
        else if (row !== undefined) shown[Number(row) - 1] = content;
      }
    },
    columns: 40,
    rows,
    kittyProtocolActive: false,
    moveBy: () => undefined,
    hideCursor: () => undefined,
    showCursor: () => undefined,
    clearLine: () => undefined,
    clearFromCursor: () => undefined,
    clearScreen: () => undefined,
    setTitle: () => undefined,
    setProgress: () => undefined,
  };
  return { terminal, written, shown: () => shown.map(nameOf) };
}

/** The whole screen cleared, or one row cleared and written. */
// oxlint-disable-next-line no-control-regex -- sequences start with a control character
const steps = /(\u001B\[2J)|\u001B\[(\d+);1H\u001B\[2K((?:(?!\u001B\[\d+;\d+H|\u001B\[\?).)*)/g;

function nameOf(content: string): string {
  // oxlint-disable-next-line no-control-regex -- as above
  const text = content.replaceAll(/\u001B\[[\d;]*m|\u001B\]8;;(?:\u0007|\u001B\\)/g, '').trimEnd();
  const at = strips.indexOf(text);
  return at < 0 ? text : `strip ${at + 1}`;
}

let strips: readonly string[] = [];

test('[C126] a picture scrolls row by row and leaves nothing behind', async () => {
  for (const images of ['iterm2', null] as const) {
    setCapabilities({ images, trueColor: true, hyperlinks: true });
    const changed = vi.fn();
    const pictures = createPictures({ env: { TERM_PROGRAM: 'iTerm.app' }, changed });
    const base64 = pngOf({ width: 40, height: 60, kind: 0, rows: (y) => Buffer.alloc(40, y) }).toString('base64');
    const picture = { key: 'p', mediaType: 'image/png', base64 };
    pictures.lines(picture, 40);
    await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce());
    strips = pictures.lines(picture, 40) ?? [];
    expect(strips).toHaveLength(3);

    const lines = ['a', 'b', ...strips, 'c', 'd', 'e'];
    let footer = 'footer';
    const part = (render: () => string[]) => ({ invalidate: () => undefined, render });
    const screen = createScreen();
    const tui = new TuiAltScreen(screen.terminal, false, undefined, { mouse: true });
    const conversation = new ScrollView(
      part(() => lines),
      { follow: 'end', primary: true, scrollbar: 'hidden' },
    );
    tui.setLayoutRoot(
      new VStack([
        { component: conversation, basis: 0, grow: 1, minSize: 1 },
        { component: part(() => [footer]), basis: 'auto', minSize: 1 },
      ]),
    );
    tui.start();
    tui.renderNow();
    expect(screen.shown()).toEqual(['strip 2', 'strip 3', 'c', 'd', 'e', 'footer']);
    tui.scrollBy(-3);
    tui.renderNow();
    expect(screen.shown()).toEqual(['a', 'b', 'strip 1', 'strip 2', 'strip 3', 'footer']);
    screen.written.length = 0;
    footer = 'another';
    tui.renderNow();
    expect(screen.shown().at(-1)).toBe('another');
    // A row of text costs no picture.
    expect(screen.written.join('')).not.toContain('1337');
    tui.scrollBy(3);
    lines.push('f', 'g', 'h');
    tui.renderNow();
    expect(screen.shown()).toEqual(['d', 'e', 'f', 'g', 'h', 'another']);
    tui.stop({ preserveScreen: true });
  }
});
