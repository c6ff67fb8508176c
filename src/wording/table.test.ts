import { expect, test } from 'vitest';

import { tableText } from './table.ts';
import { terminalOf } from '../cli/terminal.ts';
import { printable } from '../views/printable.ts';

const columns = [{ title: 'id' }, { title: 'title', gives: true }, { title: 'cost', align: 'right' }] as const;
const rows = [
  ['ses_1', 'a title that is far too long', '$1'],
  ['ses_2', { text: 'short\u001B[31m', tone: 'bad' }, '$10.5'],
] as const;

test('in a pipe a table is tabs and nothing else', () => {
  const pipe = terminalOf({}, {});
  expect(tableText(columns, rows, pipe)).toBe('ses_1\ta title that is far too long\t$1\nses_2\tshort�[31m\t$10.5');
});

test('on a terminal it is aligned, fits, and lets no text move the cursor', () => {
  const narrow = terminalOf({ isTTY: true, columns: 30 }, { NO_COLOR: '1' });
  expect(tableText(columns, rows, narrow)).toBe(
    ['id     title              cost', 'ses_1  a title that is…     $1', 'ses_2  short�[31m        $10.5'].join(
      '\n',
    ),
  );
});

test('shortens the widest flexible column first', () => {
  const narrow = terminalOf({ isTTY: true, columns: 34 }, { NO_COLOR: '1' });
  const given = [{ title: 'question', gives: true }, { title: 'session', gives: true }, { title: 'id' }] as const;
  expect(tableText(given, [['Allow shell: ls?', 'a title that is far too long', 'q_1']], narrow)).toBe(
    ['question       session         id', 'Allow shell:…  a title that …  q_1'].join('\n'),
  );
});

test.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a pipe', {}, {}, false],
  ['NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
] as const)('colors: %s', (_, stream, env, isColored) => {
  expect(terminalOf(stream, env).paint.bad('x')).toBe(isColored ? '\u001B[31mx\u001B[39m' : 'x');
});

test('control characters are shown, line ends and tabs stay', () => {
  expect(printable('a\u001B]0;title\u0007\tb\r\nc')).toBe('a�]0;title�\tb\nc');
});

test("[S14] a cell in a pipe can't control the terminal", () => {
  const pipe = terminalOf({}, {});
  expect(tableText([{ title: 'title' }], [['a\u001B]0;pwn\u0007b\u001B[2J']], pipe)).toBe('a�]0;pwn�b�[2J');
});
