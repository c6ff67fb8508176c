import { expect, test } from 'vitest';

import { createChatPlace } from './chat-place.ts';
import { keys, type PtyScreen } from './pty-screen.ts';

const ready = 'Ask, or describe a change';
const sentence =
  'A long answer that a narrow terminal has to break over several lines, which a paste elsewhere must not have.';

/** Drags over whole rows, as a mouse reports it (SGR). */
function drag(screen: PtyScreen, from: number, to: number): void {
  const at = (button: number, column: number, row: number, end: 'M' | 'm') =>
    screen.type(`\u001B[<${button};${column};${row + 1}${end}`);
  at(0, 1, from, 'M');
  at(32, 30, to, 'M');
  at(32, 60, to, 'M');
  at(0, 60, to, 'm');
}

function copiedBy(screen: PtyScreen): string | undefined {
  // oxlint-disable-next-line no-control-regex -- the sequence begins with one
  const [, encoded] = /\u001B\]52;c;([A-Za-z0-9+/=]+)/.exec(screen.raw) ?? [];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
}

test('[C126] a mouse selection copies the source text, without gutter and line ends of the screen', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({ columns: 60, rows: 24 });
  screen.type(`say ${sentence}`);
  screen.type(keys.enter);
  await screen.saw('✓ Finished');
  const rows = screen.rows();
  const first = rows.findIndex((row) => row.startsWith('  A long answer'));
  const last = rows.findIndex((row) => row.includes('must not have.'));
  expect(last).toBeGreaterThan(first);
  drag(screen, first, last);
  await screen.until(() => copiedBy(screen) !== undefined, 'the copy');
  expect(copiedBy(screen)).toBe(sentence);
});

test('[C126] --no-mouse leaves the mouse to the terminal', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat({}, ['--agent', 'testing', '--no-mouse']);
  expect(screen.raw).not.toContain('\u001B[?1000h');
  await using other = await createChatPlace();
  const usual = other.chat();
  await usual.saw(ready);
  expect(usual.raw).toContain('\u001B[?1000h');
});

test('[C126] Tab on the start screen fills in the first thing to try', async () => {
  await using place = await createChatPlace();
  const screen = await place.readyChat();
  screen.type(keys.tab);
  await screen.saw('❯ explain');
  expect(screen.rows().at(-4)).toBe('❯ explain what this project does');
});
