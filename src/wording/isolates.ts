/**
 * Keeps right-to-left names in their place in a line. Otherwise a terminal that reorders text would also move the text
 * beside the name, such as a time, the next name or a file's ending. Marks in other programs' text are made visible
 * first, so that they have no effect.
 *
 * 1. A left-to-right mark stands on both sides of a name. Unicode's isolates have the same effect, but VS Code's terminal
 *    gives each of them a column, and its lines would wrap.
 * 2. A line of right-to-left prose alone stays unchanged.
 */
const mark = '\u200E';
const letter = '\\u0590-\\u08FF\\uFB1D-\\uFDFF\\uFE70-\\uFEFC\\u{10800}-\\u{10FFF}\\u{1E800}-\\u{1EFFF}';
const any = new RegExp(`[${letter}]`, 'u');
/** Words of one name. A slash, a colon, a comma or a gap ends it, because what follows is another part of the line. */
const name = new RegExp(
  `[${letter}][${letter}\\p{M}]*(?:(?:(?! {2})[ \\-_'"\\d])+[${letter}][${letter}\\p{M}]*)*`,
  'gu',
);
const leftToRight = /\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Han}/u;
// oxlint-disable-next-line no-control-regex -- styles and links are no text
const styles = /\u001B\[[\d;:]*m|\u001B\]8;[^\u0007\u001B]*(?:\u0007|\u001B\\)/g;

export function isolated(line: string): string {
  if (!any.test(line) || isProse(line)) return line;
  let end = 0;
  let text = '';
  // Links contain addresses, which must stay as they are.
  for (const style of line.matchAll(styles)) {
    text += isolatedNames(line.slice(end, style.index)) + style[0];
    end = style.index + style[0].length;
  }
  return text + isolatedNames(line.slice(end));
}

export function isolatedLines(text: string): string {
  return any.test(text) ? text.split('\n').map(isolated).join('\n') : text;
}

export function withoutIsolates(text: string): string {
  return text.replaceAll(mark, '');
}

function isolatedNames(text: string): string {
  return text.replaceAll(name, `${mark}$&${mark}`);
}

function isProse(line: string): boolean {
  const text = line.replaceAll(styles, '').trim();
  return !leftToRight.test(text) && !/\S {2,}\S/.test(text);
}
