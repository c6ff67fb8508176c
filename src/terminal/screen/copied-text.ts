/**
 * Selected screen lines as their source text: no gutter, no times at the right, no trailing blanks, and no line ends
 * that only the width of the screen caused.
 */
export interface DrawnLine {
  /** Without styles. */
  readonly text: string;
  /** The text that the line was drawn from. Empty if it is unknown. */
  readonly source: string;
}

/** `drawn`: all lines of the conversation. A selection elsewhere loses only its gutter. */
export function copiedText(selected: string, drawn: readonly DrawnLine[]): string {
  const lines = selected.split('\n');
  const at = placeOf(lines, drawn);
  let text = '';
  let before: { readonly plain: string; readonly source: string } | undefined;
  for (const [index, line] of lines.entries()) {
    const from = at === undefined ? undefined : drawn[at + index];
    const source = from?.source ?? '';
    const isWhole = index > 0 || from === undefined || from.text.trimEnd() === line;
    const plain = withoutNote(isWhole ? withoutGutter(line, source) : line, source);
    const join = before === undefined || before.source !== source ? '\n' : joinOf(before.plain, plain, source);
    text += before === undefined ? plain : `${join}${plain}`;
    before = { plain, source };
  }
  return text;
}

/** Whole lines between the first and the last one find the place. */
function placeOf(lines: readonly string[], drawn: readonly DrawnLine[]): number | undefined {
  const last = lines.length - 1;
  const fits = (line: string, index: number, shown: string) => {
    if (last === 0) return shown.includes(line);
    if (index === 0) return shown.endsWith(line);
    return index === last ? shown.startsWith(line) : shown === line;
  };
  for (let at = 0; at + last < drawn.length; at += 1)
    if (lines.every((line, index) => fits(line, index, drawn[at + index]?.text.trimEnd() ?? ''))) return at;
  return undefined;
}

/** The glyph's two columns, or the four before output. Blanks of the source itself stay. */
function withoutGutter(line: string, source: string): string {
  const output = line.startsWith('    ') ? line.slice(4) : undefined;
  if (output !== undefined && output !== '' && source.split('\n').some((one) => one.trimEnd() === output))
    return output;
  return line.replace(/^(?: {2}|[^\p{L}\p{N}\s] )/u, '');
}

/** A time or name at the right of a prompt isn't part of it. */
function withoutNote(line: string, source: string): string {
  const [, text = '', note = ''] = /^(.*\S) {2,}(\S.*)$/.exec(line) ?? [];
  return note !== '' && has(source, text) && !source.includes(note) ? text : line;
}

/** The source text at a line break of the screen: a blank, nothing inside a long word, or a line end. */
function joinOf(before: string, after: string, source: string): string {
  const tail = before.slice(-reach);
  const head = after.slice(0, reach);
  if (tail.trim() === '' || head.trim() === '') return '\n';
  if (has(source, `${tail} ${head}`)) return ' ';
  return has(source, `${tail}${head}`) ? '' : '\n';
}

/** Enough characters to find the place of a break. */
const reach = 24;

function has(source: string, text: string): boolean {
  const wanted = simple(text);
  return source.split('\n').some((line) => simple(line).includes(wanted));
}

/** Markdown's marks aren't on the screen. */
function simple(text: string): string {
  return text.replaceAll(/[*_`~]/g, '').replaceAll(/[^\S\n]+/g, ' ');
}
