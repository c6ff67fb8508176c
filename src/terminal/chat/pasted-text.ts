/** Cleans what a terminal pastes: no control characters, one kind of line end, no tabs that move the cursor. */

const pasteStart = '\u001B[200~';
const pasteEnd = '\u001B[201~';

/** Undefined if the input isn't a paste. */
export function pastedText(data: string): string | undefined {
  if (!data.startsWith(pasteStart)) return undefined;
  const end = data.indexOf(pasteEnd);
  const inside = data.slice(pasteStart.length, end < 0 ? undefined : end);
  return cleanText(inside);
}

export function cleanText(text: string): string {
  return text
    .replaceAll(reencoded, (_, code: string) => String.fromCodePoint(Number(code) & 0x1f))
    .replaceAll(sequence, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replaceAll(control, '');
}

/** tmux may send a control character inside a paste as the key that types it. */
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const reencoded = /\u001B\[(\d+);5u/g;
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const sequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\^_])/g;
const control = /[^\P{Cc}\n]/gu;

/** The path that a terminal types when a picture is dropped on it: quoted, escaped or as a file address. */
export function droppedPath(text: string): string | undefined {
  const line = text.trim();
  if (line.includes('\n') || !/\.(png|jpe?g|gif|webp)['"]?$/i.test(line)) return undefined;
  if (line.startsWith('file://')) return decodeURIComponent(line.slice('file://'.length));
  const [, quoted] = /^(?:'([^']*)'|"[^"]*")$/.exec(line) ?? [];
  if (quoted !== undefined || line.startsWith('"')) return line.slice(1, -1);
  // Several words are a sentence, unless each gap is escaped.
  return /(^|[^\\]) /.test(line) ? undefined : line.replaceAll(/\\(.)/g, '$1');
}
