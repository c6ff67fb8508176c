/** All keys on one screen, opened by `?` on an empty prompt. */
import { cut, padded, wrapped } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';

interface Group {
  readonly title: string;
  readonly keys: readonly (readonly [string, string])[];
}

const groups: readonly Group[] = [
  {
    title: 'Prompt',
    keys: [
      ['Enter', 'send, or queue'],
      ['Ctrl+S', 'steer now'],
      ['Alt+Enter', 'new line'],
      ['↑ ↓', 'history, queue'],
      ['Ctrl+R', 'search history'],
      ['Ctrl+G', 'open in $EDITOR'],
      ['Ctrl+V', 'paste an image'],
      ['Tab', 'complete'],
      ['Alt+↑', 'edit the queue'],
    ],
  },
  {
    title: 'Turn',
    keys: [
      ['Esc', 'interrupt'],
      ['Esc Esc', 'rewind (idle)'],
      ['Ctrl+C', 'clear, stop, leave'],
      ['Shift+Tab', 'next mode'],
      ['Ctrl+O', 'open blocks'],
      ['Ctrl+T', 'workers and plan'],
      ['PgUp PgDn', 'scroll'],
      ['End', 'latest'],
      ['Ctrl+L', 'redraw'],
    ],
  },
  {
    title: 'Requests',
    keys: [
      ['Y', 'allow once'],
      ['S', 'allow this session'],
      ['A', 'always allow'],
      ['N', 'deny'],
      ['R', 'deny with a reason'],
      ['L', 'allow all like this'],
      ['E', 'edit first'],
      ['1–9', 'choose'],
      ['Esc', 'decide later'],
    ],
  },
  {
    title: 'Go to',
    keys: [
      ['Ctrl+P', 'sessions'],
      ['Ctrl+N', 'next that needs you'],
      ['Alt+M', 'models'],
      ['Ctrl+D', 'leave'],
    ],
  },
  {
    title: 'Start a line with',
    keys: [
      ['/', 'commands'],
      ['@', 'files, sessions'],
      ['!', 'shell, unasked'],
      ['!!', 'repeat it'],
    ],
  },
  {
    title: 'Line editing',
    keys: [
      ['Ctrl+A Ctrl+E', 'start, end'],
      ['Ctrl+W Ctrl+U', 'delete word, line'],
      ['Ctrl+Y', 'paste deleted'],
      ['/vim', 'vim keys'],
    ],
  },
];

interface KeyHelpFacts {
  /** The file that rebinds keys. */
  readonly file: string;
  /** What this terminal can do, such as `truecolor`. */
  readonly terminal: readonly string[];
}

/** With room, a blank line follows each title. */
export function keyHelpLines(look: Look, { file, terminal }: KeyHelpFacts, room = Infinity): readonly string[] {
  const inner = { ...look, width: look.width - 4 };
  const airy = keyHelpText(inner, { file, terminal }, true);
  const lines = airy.length <= room ? airy : keyHelpText(inner, { file, terminal }, false);
  return lines.map((line) => `${look.paint.work(look.glyphs.bar)} ${line}`.trimEnd());
}

/** Without the bar, for a screen on which it scrolls. */
export function keyHelpText(look: Look, { file, terminal }: KeyHelpFacts, isAiry: boolean): readonly string[] {
  const { paint, width } = look;
  const columnWidth = width >= 110 ? 38 : 28;
  const perRow = Math.max(1, Math.min(3, Math.floor(width / columnWidth)));
  const rows: string[] = [];
  for (let from = 0; from < groups.length; from += perRow) {
    const columns = groups.slice(from, from + perRow).map((group) => columnOf(group, columnWidth, look));
    if (rows.length > 0) rows.push('');
    for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row += 1) {
      const cells = columns.map((column, index) => {
        const isLast = index === columns.length - 1;
        const text = cut(column[row] ?? '', isLast ? columnWidth : columnWidth - 1);
        return isLast ? text : padded(text, columnWidth);
      });
      rows.push(cells.join('').trimEnd());
      if (isAiry && row === 0) rows.push('');
    }
  }
  const facts = [`Keys: ${file}`, ...(terminal.length === 0 ? [] : [`Terminal: ${terminal.join(', ')}`])];
  rows.push('', ...wrapped(paint.ink3(facts.join('   ')), width));
  return rows;
}

/** In a narrow column, keys take no more than they need: "Ctrl+A E" stands for both. */
function columnOf({ title, keys }: Group, columnWidth: number, { paint }: Look): readonly string[] {
  const isNarrow = columnWidth < 38;
  const shown = keys.map(([key, does]) => [isNarrow ? key.replace(/ Ctrl\+/, ' ') : key, does] as const);
  const keyWidth = isNarrow ? Math.max(...shown.map(([key]) => key.length)) + 1 : 15;
  return [paint.strong(title), ...shown.map(([key, does]) => `${padded(key, keyWidth)}${paint.ink2(does)}`)];
}
