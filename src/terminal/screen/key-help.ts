/** All keys on one screen, opened by `?` on an empty prompt. */
import { cut, padded } from '../lines/fit.ts';
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
      ['V', 'side by side'],
      ['1–9', 'choose'],
      ['Tab', 'to the prompt'],
      ['Esc', 'decide later'],
    ],
  },
  {
    title: 'Go to',
    keys: [
      ['Ctrl+P', 'sessions'],
      ['Ctrl+N', 'what needs you'],
      ['Alt+M', 'models'],
      ['Ctrl+D', 'leave'],
    ],
  },
  {
    title: 'Start a line with',
    keys: [
      ['/', 'commands'],
      ['@', 'files'],
      ['!', 'shell'],
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
      ['Ctrl+Z', 'suspend'],
    ],
  },
];

export function keyHelpLines(look: Look): readonly string[] {
  const { paint, glyphs } = look;
  const width = look.width - 4;
  const columnWidth = width >= 110 ? 38 : 28;
  const perRow = Math.max(1, Math.min(3, Math.floor(width / columnWidth)));
  const rows: string[] = [];
  for (let from = 0; from < groups.length; from += perRow) {
    const columns = groups.slice(from, from + perRow).map((group) => columnOf(group, look));
    if (rows.length > 0) rows.push('');
    for (let row = 0; row < Math.max(...columns.map(({ length }) => length)); row += 1)
      rows.push(
        columns
          .map((column) => padded(cut(column[row] ?? '', columnWidth - 1), columnWidth))
          .join('')
          .trimEnd(),
      );
  }
  rows.push(
    '',
    paint.ink3(cut('Change keys in terminal.json. rondo doctor says what this terminal lacks.', width)),
  );
  return rows.map((line) => `${paint.work(glyphs.bar)} ${line}`.trimEnd());
}

function columnOf({ title, keys }: Group, { paint }: Look): readonly string[] {
  return [paint.strong(title), ...keys.map(([key, does]) => `${padded(key, 15)}${paint.ink2(does)}`)];
}
