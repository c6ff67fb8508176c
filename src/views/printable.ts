import { codeOf } from './visible-text.ts';

/**
 * Makes text from a model, a tool or another person safe to show: it can't move the cursor, set the title or
 * disguise itself. Control characters are replaced. Bidirectional and zero-width characters appear as codes.
 */
export function printable(text: string): string {
  return withVisible(withoutControls(text));
}

/**
 * The same for whole lines that Rondo has already styled: everything between the styles is made safe. `styles` has one
 * group around the whole.
 */
export function printableBetween(text: string, styles: RegExp): string {
  return text
    .split(styles)
    .map((part, index) => (index % 2 === 0 ? printable(part) : part))
    .join('');
}

/** True if `printable` would change nothing but styles. Most lines are, and this finds it in one pass. */
export function isHarmless(line: string): boolean {
  return !HARMFUL.test(line);
}

/** For a reply in a pipe: removes only what a terminal would act on. */
export function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is replaced
  return text.replace(/\r\n/g, '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '�');
}

/** Shows bidirectional and zero-width characters as `‹U+202E›`. Joiners inside other scripts and emoji stay. */
export function withVisible(text: string): string {
  return text.replace(INVISIBLE, codeOf);
}

const INVISIBLE =
  /\u034F|[\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\u{E0000}-\u{E007F}]|(?<![^\p{ASCII}])[\u200C\u200D]|[\u200C\u200D](?![^\p{ASCII}])/gu;

const HARMFUL = new RegExp(
  `[\\u0000-\\u0008\\u000B-\\u001A\\u001C-\\u001F\\u007F-\\u009F]|\\u001B(?!\\[[\\d;:]*m)|${INVISIBLE.source}`,
  'u',
);
