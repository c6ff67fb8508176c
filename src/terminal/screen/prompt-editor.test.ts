import { CURSOR_MARKER, TuiAltScreen, visibleWidth, type Terminal } from '@earendil-works/pi-tui';
import { expect, test } from 'vitest';

import { PromptEditor, promptPadding } from './prompt-editor.ts';

function editorWith(text: string): PromptEditor {
  const nothing = () => undefined;
  const terminal: Terminal = {
    start: nothing,
    stop: nothing,
    drainInput: () => Promise.resolve(),
    write: nothing,
    columns: 30,
    rows: 24,
    kittyProtocolActive: false,
    moveBy: nothing,
    hideCursor: nothing,
    showCursor: nothing,
    clearLine: nothing,
    clearFromCursor: nothing,
    clearScreen: nothing,
    setTitle: nothing,
    setProgress: nothing,
  };
  const same = (line: string) => line;
  const editor = new PromptEditor(
    new TuiAltScreen(terminal, false),
    {
      borderColor: same,
      selectList: { selectedPrefix: same, selectedText: same, description: same, scrollInfo: same, noMatch: same },
    },
    { paddingX: promptPadding },
  );
  editor.focused = true;
  editor.setText(text);
  return editor;
}

const plain = (rows: readonly string[]) =>
  rows.map((row) => row.replace(CURSOR_MARKER, '').replace('\u001B[7m \u001B[0m', '█').trimEnd());

test('[S14] a draft shows characters that reorder or hide others as their codes, and keeps them', () => {
  const text = 'rm \u202Etxt.exe\u200B\n\u2066ok';
  const editor = editorWith(text);
  expect(plain(editor.parts(60).text)).toEqual(['  rm ‹U+202E›txt.exe‹U+200B›', '  ‹U+2066›ok█']);
  expect(editor.getText()).toBe(text);
});

test('[S14] codes wrap, and the row of the cursor stays in sight', () => {
  const editor = editorWith(`${'a\u202E'.repeat(60)}end`);
  const { text } = editor.parts(30);
  expect(text).toHaveLength(8);
  expect(text.every((row) => visibleWidth(row) <= 28)).toBe(true);
  expect(plain(text).at(-1)).toContain('end█');
  expect(text.at(-1)).toContain(CURSOR_MARKER);
});

test('other drafts are drawn as the editor draws them', () => {
  const family = '👩\u200D👩\u200D👧 می\u200Cخواهم';
  expect(plain(editorWith(family).parts(60).text)).toEqual([`  ${family}█`]);
});
