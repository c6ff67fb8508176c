import { isHarmless, printableBetween } from '../../views/printable.ts';

/**
 * The last step before the screen. Only styles and links pass, even if a part of the screen forgot to clean its text.
 * Text from a model, a tool or an imported session could otherwise set the clipboard or the window's title.
 */
export function safeLines(
  lines: readonly string[],
  /** Lines that the screen itself made and that may do more. */
  isOwn: (line: string) => boolean = () => false,
): readonly string[] {
  if (lines.every(isHarmless)) return lines;
  return lines.map((line) => (isOwn(line) ? line : printableBetween(line, STYLES_AND_LINKS)));
}

/** Without links that a click would hand to anything but a browser, a mail program or a file viewer. */
export function withoutOddLinks(line: string): string {
  return line.includes('\u001B]8;') ? line.replaceAll(ODD_LINKS, '\u001B]8;;\u001B\\') : line;
}

// oxlint-disable-next-line no-control-regex -- styles and links start with a control character
const STYLES_AND_LINKS = /(\u001B\[[\d;:]*m|\u001B\]8;[^\u0000-\u001F\u007F-\u009F]*(?:\u0007|\u001B\\))/;
// oxlint-disable-next-line no-control-regex -- links start with a control character
const ODD_LINKS = /\u001B\]8;[^;\u0007\u001B]*;(?!https?:|mailto:|file:)[^\u0007\u001B]+(?:\u0007|\u001B\\)/gi;
